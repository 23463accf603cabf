package io.slotwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.experiment.Finding.Verdict;
import io.slotwise.experiment.Replications.Extent;
import io.slotwise.experiment.Replications.Progress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AnticipationExperimentTest {
    private static final AnticipationExperiment EXPERIMENT = new AnticipationExperiment();

    /** The twelve runs that follow from it have at least two of each section and number of nodes. */
    private static final long SEED = 92;

    private static final int RUNS = 12;

    private static Results results = results(2);

    private static Tally tally(int runs, int threads) {
        return Replications.run(EXPERIMENT, new Extent(runs, SEED, Shard.WHOLE), threads, Progress.NONE);
    }

    private static Results results(int runs) {
        return Replications.conclude(EXPERIMENT, runs, SEED, tally(runs, 2));
    }

    @BeforeAll
    static void run() {
        results = results(RUNS);
    }

    private static double value(String series, String x, String metric) {
        return results.rows().stream()
                .filter(row -> row.point().equals(new Point(series, x, metric)))
                .map(row -> Objects.requireNonNull(row.value()))
                .findFirst()
                .orElseThrow();
    }

    private static Verdict verdict(String statement) {
        return results.conclusion().findings().stream()
                .filter(finding -> finding.statement().startsWith(statement))
                .map(Finding::holds)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyNumberIsThereWithItsInterval() {
        assertThat(results.rows()).hasSizeGreaterThan(80).allSatisfy(row -> {
            assertThat(row.value()).isNotNull().isFinite();
            assertThat(row.ci95()).isNotNull().isNotNegative();
        });
        assertThat(results.rows().stream().map(Row::point)).doesNotHaveDuplicates();
        assertThat(results.rows())
                .filteredOn(row -> row.paper() != null)
                .as("numbers of table 1")
                .hasSize(20);
    }

    @Test
    void threadsDoNotShowInTheResults() {
        assertThat(tally(3, 3).sums()).isEqualTo(tally(3, 1).sums());
    }

    @Test
    void thePapersTableIsNear() {
        assertThat(value("lim U 10 %", "", "cost")).isBetween(1200.0, 1500.0);
        assertThat(value("lim U 10 %", "", "processor time")).isBetween(165.0, 215.0);
        assertThat(value("lim U 0 %", "", "U %")).isZero();
        assertThat(value("lim U 10 %", "", "U %")).isBetween(9.5, 10.0);
        assertThat(value("lim U 100 %", "", "U %")).isBetween(55.0, 80.0);
    }

    @Test
    void whatIsSureOfTheFindingsHolds() {
        assertThat(List.of(
                        verdict("the looser the limit"),
                        verdict("replicas miss the reference's cost"),
                        verdict("backfilling starts and ends jobs before")))
                .containsOnly(Verdict.YES);
        assertThat(verdict("replicas lose almost twice")).isEqualTo(Verdict.NO);
    }

    @Test
    void anticipationEndsBetweenBackfillingAndTheCyclicSchemeAndServesBothCriteria() {
        for (String nodes : List.of("20", "25", "30", "40")) {
            assertThat(value("ANT", nodes, "finish"))
                    .isGreaterThan(value("BF", nodes, "finish"))
                    .isLessThan(value("CSS", nodes, "finish"));
            assertThat(value("ANT T", nodes, "processor time")).isLessThan(value("ANT C", nodes, "processor time"));
            assertThat(value("ANT C", nodes, "cost")).isLessThan(value("ANT T", nodes, "cost"));
        }
    }
}
