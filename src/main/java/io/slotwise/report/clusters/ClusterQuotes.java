package io.slotwise.report.clusters;

import io.slotwise.core.money.Currency;
import io.slotwise.report.QuoteReport;
import io.slotwise.report.QuoteReport.LeftOut;
import io.slotwise.report.QuoteReport.QuoteRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The menu of one gang over several clusters, from the menu of each.
 *
 * <p>A cluster's own menu has the windows that no other window of the cluster beats in start and cost. Each of them is
 * in this menu unless a window of another cluster beats it. Between clusters the end counts too, since a cluster with
 * faster nodes may start a gang later and end it earlier at the same cost. A window beats another one if it starts and
 * ends no later and costs no more, and is better in one of the three. All equal windows are listed.
 *
 * <p>A cluster is left out, with the cause, if it does not answer, has no window, or has prices in another currency
 * than the first cluster that has a window. O(n^2) for n windows.
 */
public final class ClusterQuotes {
    private static final Comparator<QuoteRow> ORDER = Comparator.comparingLong(QuoteRow::start)
            .thenComparing(QuoteRow::cost, Comparator.reverseOrder())
            .thenComparingLong(QuoteRow::end)
            .thenComparing(row -> String.valueOf(row.cluster()));

    private ClusterQuotes() {}

    /** The answer of a cluster to a question for a quote. */
    public sealed interface Answer {
        record Quoted(QuoteReport report) implements Answer {}

        /** No quote; the cause is in words, without a full stop. */
        record Failed(String cause) implements Answer {}
    }

    /**
     * Returns the menu over all clusters. Terms of the gang that clusters understand differently, because their
     * policies have different defaults, are null.
     *
     * @param now seconds since the epoch
     * @param gang the gang's name
     * @param answers by cluster; the first one with a window sets the currency
     */
    public static QuoteReport menu(long now, String gang, SequencedMap<String, Answer> answers) {
        SequencedMap<String, QuoteReport> quotes = new LinkedHashMap<>();
        List<LeftOut> leftOut = new ArrayList<>();
        answers.forEach((cluster, answer) -> {
            switch (answer) {
                case Answer.Failed(String cause) -> leftOut.add(new LeftOut(cluster, cause));
                case Answer.Quoted(QuoteReport report) -> {
                    String cause = obstacle(report, quotes);
                    if (cause == null) {
                        quotes.put(cluster, report);
                    } else {
                        leftOut.add(new LeftOut(cluster, cause));
                    }
                }
            }
        });
        List<QuoteReport> reports = List.copyOf(quotes.values());
        return new QuoteReport(
                now,
                gang,
                common(reports, QuoteReport::budget),
                common(reports, QuoteReport::criterion),
                unbeaten(quotes),
                reports.isEmpty() ? "no cluster offers one" : null,
                common(reports, QuoteReport::valueOfTime),
                common(reports, QuoteReport::valueUntil),
                common(reports, QuoteReport::preferred),
                reports.isEmpty() ? Currency.NONE : reports.getFirst().currency(),
                leftOut);
    }

    /** Returns the reason why an answer cannot be compared with those before, or null. */
    private static @Nullable String obstacle(QuoteReport report, SequencedMap<String, QuoteReport> before) {
        if (report.menu().isEmpty()) {
            return "it has no window at any budget" + (report.reason() == null ? "" : ": " + report.reason());
        }
        Map.Entry<String, QuoteReport> first = before.firstEntry();
        return first == null || first.getValue().currency().equals(report.currency())
                ? null
                : "its prices are in %s, and those of cluster %s in %s"
                        .formatted(
                                name(report.currency()),
                                first.getKey(),
                                name(first.getValue().currency()));
    }

    private static String name(Currency currency) {
        return currency.isNone() ? "a currency without a name" : currency.name();
    }

    private static <T> @Nullable T common(List<QuoteReport> reports, Function<QuoteReport, @Nullable T> term) {
        T first = reports.isEmpty() ? null : term.apply(reports.getFirst());
        return reports.stream().allMatch(report -> Objects.equals(term.apply(report), first)) ? first : null;
    }

    private static List<QuoteRow> unbeaten(Map<String, QuoteReport> quotes) {
        List<QuoteRow> rows = new ArrayList<>();
        quotes.forEach((cluster, report) -> report.menu().forEach(row -> rows.add(row.of(cluster))));
        return rows.stream()
                .filter(row -> rows.stream()
                        .noneMatch(other -> !Objects.equals(other.cluster(), row.cluster()) && beats(other, row)))
                .sorted(ORDER)
                .toList();
    }

    private static boolean beats(QuoteRow row, QuoteRow other) {
        int cost = row.cost().compareTo(other.cost());
        return row.start() <= other.start()
                && row.end() <= other.end()
                && cost <= 0
                && (row.start() < other.start() || row.end() < other.end() || cost < 0);
    }
}
