package io.slotwise.report.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.window.Window;
import io.slotwise.report.QuoteReport;
import io.slotwise.report.QuoteReport.LeftOut;
import io.slotwise.report.QuoteReport.QuoteRow;
import io.slotwise.report.clusters.ClusterQuotes.Answer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterQuotesTest {
    private static final long NOW = 1_893_456_000L;
    private static final Currency EUR = new Currency("EUR");
    private static final List<Criterion> CRITERIA = List.of(Criterion.values());
    private static final long LARGEST = 5;

    private static QuoteRow row(@Nullable String cluster, long start, long end, long cost) {
        return new QuoteRow(cluster, start, end, new Money(cost), end - start, 1, 1, true, null, null, null, List.of());
    }

    private static QuoteReport report(Currency currency, QuoteRow... menu) {
        return new QuoteReport(
                NOW,
                "default/quote",
                null,
                "start",
                List.of(menu),
                menu.length == 0 ? "no node is large enough" : null,
                null,
                null,
                null,
                currency,
                List.of());
    }

    private static QuoteReport menu(SequencedMap<String, Answer> answers) {
        return ClusterQuotes.of(answers).menu(NOW, "default/quote");
    }

    /** Returns a menu as a cluster has it: each row starts later and costs less than the one before. */
    private static QuoteRow[] randomMenu(Random random) {
        List<QuoteRow> rows = new ArrayList<>();
        long start = random.nextInt(2);
        long cost = LARGEST - random.nextInt(2);
        while (start < LARGEST && cost >= 0) {
            rows.add(row(null, start, start + 1 + random.nextInt(3), cost));
            start += 1 + random.nextInt(2);
            cost -= 1 + random.nextInt(2);
        }
        return rows.toArray(QuoteRow[]::new);
    }

    @Test
    void aMenuIsTheOneOfBruteForceOverAllLimits() {
        Random random = new Random(45);
        for (int i = 0; i < 2000; i++) {
            SequencedMap<String, Answer> answers = new LinkedHashMap<>();
            List<QuoteRow> all = new ArrayList<>();
            for (String cluster : List.of("east", "north", "west").subList(0, 1 + random.nextInt(3))) {
                QuoteRow[] rows = randomMenu(random);
                answers.put(cluster, new Answer.Quoted(report(EUR, rows)));
                for (QuoteRow row : rows) {
                    all.add(row.of(cluster));
                }
            }

            QuoteReport merged = menu(answers);

            assertThat(Set.copyOf(merged.menu())).isEqualTo(served(all));
            assertThat(merged.menu()).doesNotHaveDuplicates();
        }
    }

    /**
     * Returns each row that some limit on start, end and cost leaves as good as every row of another cluster: at its
     * own limits, only equal rows of other clusters remain.
     */
    private static Set<QuoteRow> served(List<QuoteRow> all) {
        Set<QuoteRow> served = new HashSet<>();
        for (long start = 0; start <= LARGEST; start++) {
            for (long end = 0; end <= LARGEST + 3; end++) {
                for (long cost = 0; cost <= LARGEST; cost++) {
                    long latest = start;
                    long last = end;
                    long most = cost;
                    List<QuoteRow> within = all.stream()
                            .filter(row -> row.start() <= latest
                                    && row.end() <= last
                                    && row.cost().micros() <= most)
                            .toList();
                    within.stream()
                            .filter(row -> row.start() == latest
                                    && row.end() == last
                                    && row.cost().micros() == most)
                            .filter(row -> within.stream()
                                    .allMatch(other -> Objects.equals(other.cluster(), row.cluster())
                                            || other.of("").equals(row.of(""))))
                            .forEach(served::add);
                }
            }
        }
        return served;
    }

    @Test
    void theBestClusterIsTheOneOfBruteForceByEveryCriterion() {
        Random random = new Random(46);
        for (int i = 0; i < 2000; i++) {
            Criterion criterion = CRITERIA.get(random.nextInt(CRITERIA.size()));
            SequencedMap<String, Answer> answers = new LinkedHashMap<>();
            List<QuoteRow> eligible = new ArrayList<>();
            for (String cluster : List.of("east", "north", "west").subList(0, 1 + random.nextInt(3))) {
                List<QuoteRow> rows = new ArrayList<>();
                for (int j = random.nextInt(3); j >= 0; j--) {
                    QuoteRow row = randomRow(random);
                    rows.add(row);
                    if (row.withinBudget()
                            && (criterion != Criterion.ENERGY || row.energy() != Window.UNKNOWN_ENERGY)) {
                        eligible.add(row.of(cluster));
                    }
                }
                answers.put(cluster, new Answer.Quoted(report(EUR, rows.toArray(QuoteRow[]::new))));
            }
            ClusterQuotes quotes = ClusterQuotes.of(answers);

            List<QuoteRow> ranked = quotes.ranked(criterion);

            assertThat(ranked)
                    .extracting(QuoteRow::cluster)
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(
                            eligible.stream().map(QuoteRow::cluster).distinct().toList());
            assertThat(quotes.leftOut(criterion)).hasSize(answers.size() - ranked.size());
            for (QuoteRow best : ranked) {
                assertThat(eligible)
                        .contains(best)
                        .filteredOn(row -> Objects.equals(row.cluster(), best.cluster()))
                        .allMatch(row -> figure(row, criterion).compareTo(figure(best, criterion)) >= 0);
            }
            assertThat(ranked)
                    .isSortedAccordingTo(Comparator.comparing((QuoteRow row) -> figure(row, criterion))
                            .thenComparingLong(QuoteRow::start)
                            .thenComparing(QuoteRow::cost)
                            .thenComparingLong(QuoteRow::end)
                            .thenComparing(row -> String.valueOf(row.cluster())));
        }
    }

    private static QuoteRow randomRow(Random random) {
        long start = random.nextInt(3);
        long runtime = 1L + random.nextInt(3);
        return new QuoteRow(
                null,
                start,
                start + runtime,
                new Money(random.nextInt(4)),
                runtime,
                runtime + random.nextInt(3),
                random.nextInt(4) == 0 ? Window.UNKNOWN_ENERGY : random.nextInt(4),
                random.nextInt(4) != 0,
                new Money(random.nextInt(4)),
                null,
                "0.%03d".formatted(random.nextInt(4)),
                List.of());
    }

    private static BigDecimal figure(QuoteRow row, Criterion criterion) {
        return switch (criterion) {
            case START -> BigDecimal.valueOf(row.start());
            case FINISH -> BigDecimal.valueOf(row.end());
            case RUNTIME -> BigDecimal.valueOf(row.end() - row.start());
            case COST -> BigDecimal.valueOf(row.cost().micros());
            case PROCESSOR_TIME -> BigDecimal.valueOf(row.processorTime());
            case ENERGY -> BigDecimal.valueOf(row.energy());
            case VALUE ->
                BigDecimal.valueOf(row.cost().micros())
                        .add(BigDecimal.valueOf(
                                Objects.requireNonNull(row.delayValue()).micros()));
            case PREFERENCE -> new BigDecimal(row.distance());
        };
    }

    @Test
    void byValueOnlyClustersWithTheSameValueOfTimeAreCompared() {
        SequencedMap<String, Answer> answers = new LinkedHashMap<>();
        answers.put("east", new Answer.Quoted(valued(new Money(10), null)));
        answers.put("west", new Answer.Quoted(valued(null, null)));
        answers.put("north", new Answer.Quoted(valued(new Money(10), NOW)));
        answers.put("south", new Answer.Quoted(valued(new Money(10), null)));
        ClusterQuotes quotes = ClusterQuotes.of(answers);

        assertThat(quotes.ranked(Criterion.VALUE)).extracting(QuoteRow::cluster).containsExactly("east", "south");
        assertThat(quotes.leftOut(Criterion.VALUE))
                .extracting(LeftOut::cluster, LeftOut::cause)
                .containsExactly(
                        tuple("west", "its value of time is not that of cluster east, and the gang states none"),
                        tuple("north", "its value of time is not that of cluster east, and the gang states none"));
        assertThat(quotes.ranked(Criterion.COST)).hasSize(4);
    }

    private static QuoteReport valued(@Nullable Money valueOfTime, @Nullable Long until) {
        QuoteReport report = report(EUR, row(null, 0, 1, 2));
        return new QuoteReport(
                NOW, report.gang(), null, "value", report.menu(), null, valueOfTime, until, null, EUR, List.of());
    }

    @Test
    void aFasterClusterStaysThoughItStartsLaterAtTheSameCost() {
        SequencedMap<String, Answer> answers = new LinkedHashMap<>();
        answers.put("slow", new Answer.Quoted(report(EUR, row(null, 0, 100, 4))));
        answers.put("fast", new Answer.Quoted(report(EUR, row(null, 10, 60, 4))));

        assertThat(menu(answers).menu()).extracting(QuoteRow::cluster).containsExactly("slow", "fast");
    }

    @Test
    void choicesAreInTheOrderOfStartCostEndAndCluster() {
        SequencedMap<String, Answer> answers = new LinkedHashMap<>();
        answers.put("west", new Answer.Quoted(report(EUR, row(null, 0, 9, 5), row(null, 2, 9, 1))));
        answers.put("east", new Answer.Quoted(report(EUR, row(null, 0, 9, 5), row(null, 1, 9, 2))));
        answers.put("north", new Answer.Quoted(report(EUR, row(null, 0, 5, 6))));

        assertThat(menu(answers).menu())
                .containsExactly(
                        row("north", 0, 5, 6),
                        row("east", 0, 9, 5),
                        row("west", 0, 9, 5),
                        row("east", 1, 9, 2),
                        row("west", 2, 9, 1));
    }

    @Test
    void aClusterThatCannotBeComparedIsLeftOutWithTheCause() {
        SequencedMap<String, Answer> answers = new LinkedHashMap<>();
        answers.put("silent", new Answer.Failed("it did not answer within 10s"));
        answers.put("full", new Answer.Quoted(report(Currency.NONE)));
        answers.put("euros", new Answer.Quoted(report(EUR, row(null, 0, 1, 2))));
        answers.put("dollars", new Answer.Quoted(report(new Currency("USD"), row(null, 0, 1, 1))));
        answers.put("unnamed", new Answer.Quoted(report(Currency.NONE, row(null, 0, 1, 1))));

        QuoteReport merged = menu(answers);

        assertThat(merged.menu()).containsExactly(row("euros", 0, 1, 2));
        assertThat(merged.currency()).isEqualTo(EUR);
        assertThat(merged.leftOut())
                .containsExactly(
                        new LeftOut("silent", "it did not answer within 10s"),
                        new LeftOut("full", "it has no window at any budget: no node is large enough"),
                        new LeftOut("dollars", "its prices are in USD, and those of cluster euros in EUR"),
                        new LeftOut(
                                "unnamed",
                                "its prices are in a currency without a name, and those of cluster euros in EUR"));
    }

    @Test
    void termsAreShownIfAllClustersUnderstandThemAlike() {
        QuoteReport start = report(EUR, row(null, 0, 1, 2));
        QuoteReport cost = new QuoteReport(
                NOW, "default/quote", null, "cost", start.menu(), null, new Money(5), null, null, EUR, List.of());
        SequencedMap<String, Answer> alike = new LinkedHashMap<>();
        alike.put("east", new Answer.Quoted(cost));
        alike.put("west", new Answer.Quoted(cost));
        SequencedMap<String, Answer> different = new LinkedHashMap<>(alike);
        different.put("north", new Answer.Quoted(start));

        assertThat(menu(alike).criterion()).isEqualTo("cost");
        assertThat(menu(alike).valueOfTime()).isEqualTo(new Money(5));
        assertThat(menu(different).criterion()).isNull();
        assertThat(menu(different).valueOfTime()).isNull();
    }
}
