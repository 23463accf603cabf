package io.slotwise.lab.experiment.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init")
class CriteriaExperimentTest {
    private static ExperimentRun run;

    @BeforeAll
    static void run() {
        run = ExperimentRun.of(CriteriaExperiment.firstReading(), 60);
    }

    @Test
    void everyNumberIsThereWithItsInterval() {
        List<ComparedNumber> rows = run.results().rows();

        assertThat(rows).hasSizeGreaterThan(60).allSatisfy(row -> {
            assertThat(row.value()).isNotNull().isFinite();
            assertThat(row.ci95()).isNotNull().isNotNegative();
        });
        assertThat(rows.stream().map(ComparedNumber::point)).doesNotHaveDuplicates();
    }

    @Test
    void thePapersNumbersAreNear() {
        assertThat(run.value("CSA", "", "alternatives")).isBetween(50.0, 80.0);
        assertThat(run.value("minCost", "", "cost")).isBetween(980.0, 1070.0);
        assertThat(run.value("CSA", "", "finish")).isBetween(45.0, 65.0);
        assertThat(run.row("CSA", "", "finish").paper()).isEqualTo(52.6);
    }

    @Test
    void theCertainFindingsHold() {
        assertThat(List.of(
                        run.verdict("AMP, minFinish and CSA start"),
                        run.verdict("minRuntime starts before"),
                        run.verdict("minFinish ends first"),
                        run.verdict("minCost's window is cheaper"),
                        run.verdict("an exact search")))
                .containsOnly(Verdict.YES);
        assertThat(run.verdict("the order of the starts comes from the substitution as it is printed"))
                .isNotEqualTo(Verdict.YES);
    }

    @Test
    void exactSearchesFindTheLeastOfAllSeries() {
        for (String metric : List.of("start", "finish", "runtime", "processor-time", "cost")) {
            double exact = run.value("exact " + metric, "", metric);
            assertThat(run.results().rows())
                    .filteredOn(row -> row.point().metric().equals(metric))
                    .allSatisfy(row -> assertThat(row.value()).isGreaterThanOrEqualTo(exact));
        }
    }
}
