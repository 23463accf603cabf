package io.slotwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.experiment.Finding.Verdict;
import io.slotwise.experiment.Replications.Extent;
import io.slotwise.experiment.Replications.Progress;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CriteriaExperimentTest {
    private static Results results = results(1);

    private static Results results(int runs) {
        CriteriaExperiment experiment = new CriteriaExperiment();
        Tally tally = Replications.run(experiment, new Extent(runs, 1, Shard.WHOLE), 2, Progress.NONE);
        return Replications.conclude(experiment, runs, 1, tally);
    }

    @BeforeAll
    static void run() {
        results = results(60);
    }

    private static double value(String series, String metric) {
        return results.rows().stream()
                .filter(row -> row.point().equals(new Point(series, "", metric)))
                .map(Row::value)
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
        assertThat(results.rows()).hasSizeGreaterThan(60).allSatisfy(row -> {
            assertThat(row.value()).isNotNull().isFinite();
            assertThat(row.ci95()).isNotNull().isNotNegative();
        });
        assertThat(results.rows().stream().map(Row::point)).doesNotHaveDuplicates();
    }

    @Test
    void thePapersNumbersAreNear() {
        assertThat(value("CSA", "alternatives")).isBetween(50.0, 80.0);
        assertThat(value("minCost", "cost")).isBetween(980.0, 1070.0);
        assertThat(value("CSA", "finish")).isBetween(45.0, 65.0);
    }

    @Test
    void whatIsSureOfTheFindingsHolds() {
        assertThat(List.of(
                        verdict("AMP, minFinish and CSA start"),
                        verdict("minRuntime starts before"),
                        verdict("minFinish ends first"),
                        verdict("minCost's window is cheaper"),
                        verdict("an exact search")))
                .containsOnly(Verdict.YES);
        assertThat(verdict("the order of the starts comes from the substitution as it is printed"))
                .isNotEqualTo(Verdict.YES);
    }

    @Test
    void exactSearchesFindTheLeastOfAllSeries() {
        for (String metric : List.of("start", "finish", "runtime", "processor-time", "cost")) {
            double exact = value("exact " + metric, metric);
            assertThat(results.rows())
                    .filteredOn(row -> row.point().metric().equals(metric))
                    .allSatisfy(row -> assertThat(row.value()).isGreaterThanOrEqualTo(exact));
        }
    }
}
