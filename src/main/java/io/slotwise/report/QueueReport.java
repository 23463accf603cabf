package io.slotwise.report;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.report.TextTable.Column;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gangs in the order in which they start.
 *
 * @param gangs in the order in which they are shown
 * @param currency what their money is in
 */
public record QueueReport(List<GangRow> gangs, Currency currency) {
    private static final String NONE = "-";
    private static final String COMPLETED = "completed";

    /** The phases by which gangs can be picked, as people write them. */
    public static final List<String> PHASES = List.of(PhaseWord.WAITING, "promised", "starting", "running", COMPLETED);

    public QueueReport {
        gangs = List.copyOf(gangs);
    }

    /** By what gangs are sorted; ties go by start and name. */
    public enum Order {
        /** Those without a start first, as long as they have waited, then by start. */
        START,
        /** The dearest first. */
        COST,
        GANG,
        /** Who has waited longest first. */
        SUBMITTED
    }

    /**
     * The gangs in these phases.
     *
     * @param phases of {@link #PHASES}; none: all but those that have ended
     */
    public static QueueReport of(GangListReport all, List<String> phases, Order order) {
        return new QueueReport(
                all.gangs().stream()
                        .filter(gang ->
                                phases.isEmpty() ? !phase(gang).equals(COMPLETED) : phases.contains(phase(gang)))
                        .sorted(by(order))
                        .toList(),
                all.money());
    }

    private static Comparator<GangRow> by(Order order) {
        Comparator<GangRow> byStart = Comparator.<GangRow, String>comparing(
                        gang -> Objects.requireNonNullElse(gang.start(), ""))
                .thenComparing(GangRow::submitted)
                .thenComparing(GangRow::gang);
        return switch (order) {
            case START -> byStart;
            case COST ->
                Comparator.<GangRow, Cost>comparing(gang -> cost(gang.cost()), Comparator.reverseOrder())
                        .thenComparing(byStart);
            case GANG -> Comparator.comparing(GangRow::gang);
            case SUBMITTED -> Comparator.comparing(GangRow::submitted).thenComparing(byStart);
        };
    }

    private static Cost cost(@Nullable String cost) {
        return cost == null ? Cost.ZERO : Cost.read(cost);
    }

    /** The latest start that is promised; without slack the start itself is. */
    private static String promisedBy(GangRow gang, long start) {
        return TimeText.instantAfter(
                start,
                gang.promisedBy() == null
                        ? start
                        : Instant.parse(gang.promisedBy()).getEpochSecond());
    }

    private static String phase(GangRow gang) {
        return PhaseWord.of(gang.phase());
    }

    /**
     * As a table that no terminal has to wrap, with a line of totals below it.
     *
     * @param now seconds since the epoch
     */
    public String table(Terminal terminal, long now) {
        if (gangs.isEmpty()) {
            return "No gangs.\n";
        }
        TextTable table = new TextTable(List.of(
                Column.left("START"),
                Column.left("PROMISED BY"),
                Column.right("IN").spare(0),
                Column.name("GANG"),
                Column.left("PHASE"),
                Column.right("PODS").spare(1),
                Column.right(currency.heading("COST")),
                Column.right(currency.heading("BUDGET")).spare(2),
                Column.left("WHY")));
        for (GangRow gang : gangs) {
            Long start =
                    gang.start() == null ? null : Instant.parse(gang.start()).getEpochSecond();
            table.row(List.of(
                    start == null ? NONE : TimeText.instant(start),
                    start == null ? NONE : promisedBy(gang, start),
                    start == null || start < now ? NONE : TimeText.relative(now, start),
                    gang.gang(),
                    PhaseWord.title(gang.phase()),
                    gang.size() == null ? NONE : gang.size().toString(),
                    brief(gang.cost()),
                    brief(gang.budget()),
                    Objects.requireNonNullElse(gang.why(), NONE)));
        }
        return table.draw(terminal) + "\n" + totals() + "\n";
    }

    /** Such as {@code 5 gangs: 2 waiting, 3 promised; 1 advance reservation}. */
    private String totals() {
        long reservations = gangs.stream().filter(GangRow::isReservation).count();
        long others = gangs.size() - reservations;
        String phases = gangs.stream()
                .filter(gang -> !gang.isReservation())
                .collect(Collectors.groupingBy(
                        gang -> PhaseWord.of(gang.phase()),
                        () -> new TreeMap<>(Comparator.comparingInt(PHASES::indexOf)),
                        Collectors.counting()))
                .entrySet()
                .stream()
                .map(phase -> phase.getValue() + " " + phase.getKey())
                .collect(Collectors.joining(", "));
        return "%d %s%s%s"
                .formatted(
                        others,
                        others == 1 ? "gang" : "gangs",
                        others == 0 ? "" : ": " + phases,
                        reservations == 0
                                ? ""
                                : "; %d advance %s"
                                        .formatted(reservations, reservations == 1 ? "reservation" : "reservations"));
    }

    private static String brief(@Nullable String money) {
        return money == null ? NONE : Cost.read(money).brief();
    }
}
