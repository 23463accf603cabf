package io.slotwise.lab.experiment.topsis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Replications;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Replications.Progress;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.simulation.ReplicationShard;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopsisExperimentTest {
    private static final TopsisExperiment EXPERIMENT = TopsisExperiment.firstReading();

    /** A seed whose 26 runs have a trial of every setting. */
    private static final long SEED = 24_901;

    private static final int RUNS = 26;

    private static final ExperimentRun SMALL = ExperimentRun.of(EXPERIMENT, RUNS, SEED);

    private static Tally tally(int runs, int threads) {
        return Replications.run(EXPERIMENT, new Extent(runs, SEED, ReplicationShard.WHOLE), threads, Progress.NONE);
    }

    @Test
    void everyNumberIsThere() {
        assertThat(SMALL.results().rows())
                .hasSizeGreaterThan(100)
                .allSatisfy(row -> assertThat(row.value()).isNotNull().isFinite());
        assertThat(SMALL.results().rows())
                .filteredOn(row -> !row.point().series().equals("EMET - EMCT"))
                .allSatisfy(row -> assertThat(row.value()).isNotNegative());
        assertThat(SMALL.results().rows().stream().map(ComparedNumber::point)).doesNotHaveDuplicates();
        assertThat(SMALL.results().conclusion().figures()).hasSize(14);
    }

    @Test
    void threadsDoNotShowInTheResults() {
        assertThat(tally(4, 3).sums()).isEqualTo(tally(4, 1).sums());
    }

    @Test
    void theSharesOfTheSitesAreAllTasks() {
        for (String series : List.of("EMCT", "EMET")) {
            double sum = 0;
            for (int site = 1; site <= 5; site++) {
                sum += SMALL.value(series, "interval 23.4 s", "% of tasks at Site0" + site);
            }
            assertThat(sum).isBetween(99.999, 100.001);
        }
    }

    @Test
    void theCertainFindingsHold() {
        assertThat(List.of(
                        SMALL.verdict("the more applications, the more failures"),
                        SMALL.verdict("applications that are placed by the equations")))
                .containsOnly(Verdict.YES);
    }

    @Test
    void failuresFallWhenArrivalsAreFurtherApart() {
        for (String series : List.of("EMCT", "EMET")) {
            assertThat(SMALL.value(series, "interval 11.7 s", "failures"))
                    .isGreaterThan(SMALL.value(series, "interval 93.5 s", "failures"));
        }
    }

    @Test
    void theDifferenceIsThatOfTheTwoOnTheSameApplications() {
        for (String users : List.of("10 users", "500 users")) {
            assertThat(SMALL.value("EMET - EMCT", users, "failures"))
                    .isCloseTo(
                            SMALL.value("EMET", users, "failures") - SMALL.value("EMCT", users, "failures"),
                            within(1e-6));
        }
    }
}
