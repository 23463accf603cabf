package io.slotwise.report;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.report.GangListReport.GangRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gangs in display order. */
public record QueueReport(List<GangRow> gangs, Currency currency) {
    private static final String NONE = "-";
    private static final String COMPLETED = "completed";

    public static final List<String> PHASES = List.of(PhaseWord.WAITING, "promised", "starting", "running", COMPLETED);

    public QueueReport {
        gangs = List.copyOf(gangs);
    }

    /** The sort orders; ties are ordered by start and name. */
    public enum Order {
        /** Gangs without a start first, by their waiting time, then by start. */
        START,
        COST,
        GANG,
        /** The longest waiting first. */
        SUBMITTED
    }

    /**
     * Returns the gangs in these phases of {@link #PHASES}; without phases, all but those that have ended.
     *
     * @param queue of the gangs, or null for all
     */
    public static QueueReport of(GangListReport report, List<String> phases, @Nullable String queue, Order order) {
        return new QueueReport(
                report.gangs().stream()
                        .filter(gang ->
                                phases.isEmpty() ? !phase(gang).equals(COMPLETED) : phases.contains(phase(gang)))
                        .filter(gang -> queue == null || queue.equals(gang.queue()))
                        .sorted(by(order))
                        .toList(),
                report.money());
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

    private static String promisedBy(GangRow gang, long start) {
        return TimeText.instantAfter(
                start,
                gang.promisedBy() == null
                        ? start
                        : Instant.parse(gang.promisedBy()).getEpochSecond());
    }

    /** Applies {@code cell} to its start, seconds since the epoch. */
    private static String started(GangRow gang, LongFunction<String> cell) {
        return gang.start() == null
                ? NONE
                : cell.apply(Instant.parse(gang.start()).getEpochSecond());
    }

    private static String phase(GangRow gang) {
        return PhaseWord.of(gang.phase());
    }

    /** Returns a table that fits every terminal, with totals below; {@code now} is seconds since the epoch. */
    public String table(Terminal terminal, long now) {
        if (gangs.isEmpty()) {
            return "No gangs.\n";
        }
        TextTable<GangRow> table = new TextTable<GangRow>()
                .left("START", gang -> started(gang, TimeText::instant))
                .left("PROMISED BY", gang -> started(gang, start -> promisedBy(gang, start)))
                .right("IN", gang -> started(gang, start -> start < now ? NONE : TimeText.relative(now, start)))
                .spare(0)
                .name("GANG", GangRow::gang)
                .left("QUEUE", gang -> Objects.requireNonNullElse(gang.queue(), NONE))
                .when(gangs.stream().anyMatch(gang -> gang.queue() != null))
                .right(
                        "POSITION",
                        gang -> gang.position() == null ? NONE : gang.position().toString())
                .when(gangs.stream().anyMatch(gang -> gang.position() != null))
                .left("PHASE", gang -> PhaseWord.title(gang.phase()))
                .right("PODS", gang -> gang.size() == null ? NONE : gang.size().toString())
                .spare(1)
                .right(currency.heading("COST"), gang -> brief(gang.cost()))
                .right(currency.heading("BUDGET"), gang -> brief(gang.budget()))
                .spare(2)
                .left("WHY", gang -> Objects.requireNonNullElse(gang.why(), NONE));
        return table.draw(gangs, terminal) + "\n" + totals() + "\n";
    }

    /** Returns text such as {@code 5 gangs: 2 waiting, 3 promised; 1 advance reservation}. */
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
                .map(entry -> entry.getValue() + " " + entry.getKey())
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

    /** The display name of a phase: a gang without a window is waiting. */
    public static final class PhaseWord {
        /** Gangs without a window, in the phases {@code Pending} and {@code Broken}. */
        public static final String WAITING = "waiting";

        private PhaseWord() {}

        public static String of(String phase) {
            String word = phase.toLowerCase(Locale.ROOT);
            return word.equals("pending") || word.equals("broken") ? WAITING : word;
        }

        static String title(String phase) {
            String word = of(phase);
            return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
        }
    }
}
