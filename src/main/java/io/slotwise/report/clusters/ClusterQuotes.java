package io.slotwise.report.clusters;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Currency;
import io.slotwise.report.QuoteReport;
import io.slotwise.report.QuoteReport.LeftOut;
import io.slotwise.report.QuoteReport.QuoteRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The quotes of several clusters for one gang: its menu over all of them, and its choice of a cluster.
 *
 * <p>A cluster's own menu has the windows that no other window of the cluster beats in start and cost. Each of them is
 * in this menu unless a window of another cluster beats it. Between clusters the end counts too, since a cluster with
 * faster nodes may start a gang later and end it earlier at the same cost. A window beats another one if it starts and
 * ends no later and costs no more, and is better in one of the three. All equal windows are listed.
 *
 * <p>A cluster is left out, with the cause, if it does not answer, has no window, or has prices in another currency
 * than the first cluster that has a window. O(n^2) for n windows.
 *
 * @param quotes the quotes that can be compared, by cluster
 */
public record ClusterQuotes(SequencedMap<String, QuoteReport> quotes, List<LeftOut> leftOut) {
    private static final Comparator<QuoteRow> ON_MENU = Comparator.comparingLong(QuoteRow::start)
            .thenComparing(QuoteRow::cost, Comparator.reverseOrder())
            .thenComparingLong(QuoteRow::end)
            .thenComparing(row -> String.valueOf(row.cluster()));
    private static final Comparator<QuoteRow> BY_WINDOW = Comparator.comparingLong(QuoteRow::start)
            .thenComparing(QuoteRow::cost)
            .thenComparingLong(QuoteRow::end)
            .thenComparing(row -> String.valueOf(row.cluster()));

    public ClusterQuotes {
        quotes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(quotes));
        leftOut = List.copyOf(leftOut);
    }

    /** The answer of a cluster to a question for a quote. */
    public sealed interface Answer {
        record Quoted(QuoteReport report) implements Answer {}

        /** No quote; the cause is in words, without a full stop. */
        record Failed(String cause) implements Answer {}
    }

    /** Compares the answers of these clusters. The first one with a window sets the currency. */
    public static ClusterQuotes of(SequencedMap<String, Answer> answers) {
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
        return new ClusterQuotes(quotes, leftOut);
    }

    /**
     * Returns the menu over all clusters. Terms of the gang that clusters understand differently, because their
     * policies have different defaults, are null.
     *
     * @param now seconds since the epoch
     * @param gang the gang's name
     */
    public QuoteReport menu(long now, String gang) {
        List<QuoteReport> reports = List.copyOf(quotes.values());
        return new QuoteReport(
                now,
                gang,
                common(reports, QuoteReport::budget),
                common(reports, QuoteReport::criterion),
                unbeaten(),
                reports.isEmpty() ? "no cluster offers one" : null,
                common(reports, QuoteReport::valueOfTime),
                common(reports, QuoteReport::valueUntil),
                common(reports, QuoteReport::preferred),
                currency(),
                leftOut);
    }

    public Currency currency() {
        return quotes.isEmpty() ? Currency.NONE : quotes.firstEntry().getValue().currency();
    }

    /**
     * Returns the best window of each cluster's menu within the gang's budget, the best cluster first: by the
     * criterion, start, cost, end and the cluster's name. By value, only clusters with the first one's value of time
     * count. O(n log n) for n windows.
     */
    public List<QuoteRow> ranked(Criterion criterion) {
        Comparator<QuoteRow> order =
                Comparator.comparingLong((QuoteRow row) -> row.value(criterion)).thenComparing(BY_WINDOW);
        List<QuoteRow> ranked = new ArrayList<>();
        quotes.forEach((cluster, report) -> report.menu().stream()
                .filter(row -> isComparable(criterion, report))
                .filter(row -> row.withinBudget() && row.value(criterion) != Long.MAX_VALUE)
                .map(row -> row.of(cluster))
                .min(order)
                .ifPresent(ranked::add));
        ranked.sort(order);
        return ranked;
    }

    /** Returns the clusters that offer no window within the gang's budget whose value of the criterion is known. */
    public List<LeftOut> leftOut(Criterion criterion) {
        Set<String> offering = ranked(criterion).stream()
                .map(row -> String.valueOf(row.cluster()))
                .collect(Collectors.toSet());
        return Stream.concat(
                        leftOut.stream(),
                        quotes.entrySet().stream()
                                .filter(entry -> !offering.contains(entry.getKey()))
                                .map(entry -> new LeftOut(entry.getKey(), shortfall(criterion, entry.getValue()))))
                .toList();
    }

    private String shortfall(Criterion criterion, QuoteReport report) {
        if (!isComparable(criterion, report)) {
            return "its value of time is not that of cluster %s, and the gang states none"
                    .formatted(quotes.firstEntry().getKey());
        }
        return switch (criterion) {
            case ENERGY -> "it has no window of known energy within the budget";
            case PREFERENCE -> "it has no window of known distance within the budget";
            default -> "it has no window within the budget";
        };
    }

    /** Returns whether the criterion means the same as in the first cluster, whose policy may have other defaults. */
    private boolean isComparable(Criterion criterion, QuoteReport report) {
        QuoteReport first = quotes.firstEntry().getValue();
        return criterion != Criterion.VALUE
                || (Objects.equals(report.valueOfTime(), first.valueOfTime())
                        && Objects.equals(report.valueUntil(), first.valueUntil()));
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

    private List<QuoteRow> unbeaten() {
        List<QuoteRow> rows = new ArrayList<>();
        quotes.forEach((cluster, report) -> report.menu().forEach(row -> rows.add(row.of(cluster))));
        return rows.stream()
                .filter(row -> rows.stream()
                        .noneMatch(other -> !Objects.equals(other.cluster(), row.cluster()) && isBeaten(row, other)))
                .sorted(ON_MENU)
                .toList();
    }

    private static boolean isBeaten(QuoteRow row, QuoteRow other) {
        int cost = other.cost().compareTo(row.cost());
        return other.start() <= row.start()
                && other.end() <= row.end()
                && cost <= 0
                && (other.start() < row.start() || other.end() < row.end() || cost < 0);
    }
}
