package io.slotwise.report.clusters;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.report.CsvText;
import io.slotwise.report.JsonObject;
import io.slotwise.report.PlanReport.InputNote;
import io.slotwise.report.QuoteReport.LeftOut;
import io.slotwise.report.QuoteReport.QuoteRow;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import io.slotwise.report.TimeText;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a cluster for each gang.
 *
 * @param now seconds since the epoch
 */
public record ClusterPlanReport(long now, List<GangChoice> gangs) {
    private static final int MILLIWATT_SECONDS_PER_WATT_HOUR = 3_600_000;

    public ClusterPlanReport {
        gangs = List.copyOf(gangs);
    }

    /**
     * The choice for one gang.
     *
     * @param criterion the gang's own; null for a gang that no cluster was asked about
     * @param ranked the best window of each cluster, the chosen one first
     * @param leftOut the clusters that have no window within the budget
     * @param why the reason why no cluster is chosen; null if one is
     */
    public record GangChoice(
            GangId gang,
            @Nullable Criterion criterion,
            List<QuoteRow> ranked,
            Currency currency,
            List<LeftOut> leftOut,
            @Nullable String why) {
        public GangChoice {
            ranked = List.copyOf(ranked);
            leftOut = List.copyOf(leftOut);
        }

        public static GangChoice of(GangId gang, Criterion criterion, ClusterQuotes quotes) {
            List<QuoteRow> ranked = quotes.ranked(criterion);
            return new GangChoice(
                    gang,
                    criterion,
                    ranked,
                    quotes.currency(),
                    quotes.leftOut(criterion),
                    ranked.isEmpty() ? "every cluster is left out" : null);
        }

        /** Creates the row of a gang that no cluster was asked about. */
        public static GangChoice none(GangId gang, String why) {
            return new GangChoice(gang, null, List.of(), Currency.NONE, List.of(), why);
        }

        private @Nullable String by() {
            return criterion == null ? null : criterion.key();
        }

        private @Nullable QuoteRow best() {
            return ranked.isEmpty() ? null : ranked.getFirst();
        }

        private @Nullable QuoteRow second() {
            return ranked.size() < 2 ? null : ranked.get(1);
        }

        /** Returns the second cluster's value of the criterion minus the chosen one's; null without a second one. */
        private @Nullable Long difference() {
            return criterion == null || ranked.size() < 2
                    ? null
                    : Long.valueOf(
                            ranked.get(1).value(criterion) - ranked.getFirst().value(criterion));
        }

        private String shownDifference() {
            Long difference = difference();
            if (criterion == null || difference == null) {
                return "-";
            }
            return "+"
                    + switch (criterion) {
                        case START, FINISH, RUNTIME, PROCESSOR_TIME -> TimeText.duration(difference);
                        case COST, VALUE -> currency.of(new Money(difference));
                        case ENERGY -> "%.1f Wh".formatted(difference / (double) MILLIWATT_SECONDS_PER_WATT_HOUR);
                        case PREFERENCE -> thousandths(difference);
                    };
        }

        /** Returns the difference in seconds, money, watt-seconds, or without unit. */
        private @Nullable String exactDifference() {
            Long difference = difference();
            if (criterion == null || difference == null) {
                return null;
            }
            return switch (criterion) {
                case START, FINISH, RUNTIME, PROCESSOR_TIME -> difference.toString();
                case COST, VALUE -> new Money(difference).toString();
                case ENERGY, PREFERENCE -> thousandths(difference);
            };
        }

        private static String thousandths(long difference) {
            return BigDecimal.valueOf(difference, 3).toPlainString();
        }
    }

    public String table(Terminal terminal) {
        if (gangs.isEmpty()) {
            return "No gang waits.\n";
        }
        return new TextTable<GangChoice>()
                .name("GANG", choice -> choice.gang().toString())
                .name("CLUSTER", choice -> cluster(choice.best()))
                .left("START", choice -> start(choice.best()))
                .left("END", choice -> end(choice.best()))
                .spare(1)
                .right("COST", choice -> cost(choice, choice.best()))
                .left("BY", choice -> Objects.requireNonNullElse(choice.by(), "-"))
                .spare(0)
                .name("SECOND", choice -> cluster(choice.second()))
                .right("DIFFERENCE", GangChoice::shownDifference)
                .left("WHY", choice -> Objects.requireNonNullElse(choice.why(), "-"))
                .when(gangs.stream().anyMatch(choice -> choice.why() != null))
                .draw(gangs, terminal);
    }

    private static String cluster(@Nullable QuoteRow row) {
        return row == null ? "-" : String.valueOf(row.cluster());
    }

    private static String start(@Nullable QuoteRow row) {
        return row == null ? "-" : TimeText.instant(row.start());
    }

    private static String end(@Nullable QuoteRow row) {
        return row == null ? "-" : TimeText.instant(row.end());
    }

    private static String cost(GangChoice choice, @Nullable QuoteRow row) {
        return row == null ? "-" : choice.currency().of(row.cost());
    }

    /** Returns a line for each cluster and cause, with the gangs for which it is left out unless it is for all. */
    public List<String> leftOut() {
        Map<LeftOut, TreeSet<String>> gangsByCause =
                new TreeMap<>(Comparator.comparing(LeftOut::cluster).thenComparing(LeftOut::cause));
        long asked = gangs.stream().filter(choice -> choice.criterion() != null).count();
        gangs.forEach(choice -> choice.leftOut()
                .forEach(left -> gangsByCause
                        .computeIfAbsent(left, _ -> new TreeSet<>())
                        .add(choice.gang().toString())));
        return gangsByCause.entrySet().stream()
                .map(entry -> entry.getKey()
                        .words(entry.getValue().size() == asked ? "" : "for " + String.join(", ", entry.getValue())))
                .toList();
    }

    /** Returns indented JSON with a final line feed. */
    public String json(List<InputNote> input) {
        return new JsonObject()
                .put("now", TimeText.instant(now))
                .putEach("gangs", gangs, ClusterPlanReport::json)
                .putIfAny("inputNotes", input)
                .document();
    }

    private static JsonObject json(GangChoice choice) {
        QuoteRow best = choice.best();
        return new JsonObject()
                .put("gang", choice.gang().toString())
                .putIfAny("criterion", choice.by())
                .putCurrency(choice.currency())
                .put("cluster", best == null ? null : best.cluster())
                .putEach("ranked", choice.ranked(), QuoteRow::json)
                .putIfAny("difference", choice.exactDifference())
                .putIfAny("leftOut", choice.leftOut())
                .putIfAny("reason", choice.why());
    }

    public String csv() {
        CsvText csv = new CsvText("\n", "gang,criterion,cluster,start,end,cost,second,difference,reason");
        for (GangChoice choice : gangs) {
            QuoteRow best = choice.best();
            QuoteRow second = choice.second();
            csv.row(
                    choice.gang(),
                    choice.by(),
                    best == null ? null : best.cluster(),
                    best == null ? null : start(best),
                    best == null ? null : end(best),
                    best == null ? null : best.cost(),
                    second == null ? null : second.cluster(),
                    choice.exactDifference(),
                    choice.why());
        }
        return csv.toString();
    }
}
