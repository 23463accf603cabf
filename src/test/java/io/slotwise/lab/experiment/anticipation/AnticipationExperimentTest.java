package io.slotwise.lab.experiment.anticipation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Replications;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Replications.Progress;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.simulation.ReplicationShard;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnticipationExperimentTest {
    private static final Experiment EXPERIMENT = AnticipationExperiment.firstReading();

    /** A seed whose twelve runs have at least two of each section and number of nodes. */
    private static final long SEED = 92;

    private static final int RUNS = 12;

    private static final ExperimentRun SMALL = ExperimentRun.of(EXPERIMENT, RUNS, SEED);

    private static Tally tally(int runs, int threads) {
        return Replications.run(EXPERIMENT, new Extent(runs, SEED, ReplicationShard.WHOLE), threads, Progress.NONE);
    }

    @Test
    void everyNumberIsThereWithItsInterval() {
        assertThat(SMALL.results().rows()).hasSizeGreaterThan(80).allSatisfy(row -> {
            assertThat(row.value()).isNotNull().isFinite();
            assertThat(row.ci95()).isNotNull().isNotNegative();
        });
        assertThat(SMALL.results().rows().stream().map(ComparedNumber::point)).doesNotHaveDuplicates();
        assertThat(SMALL.results().rows())
                .filteredOn(row -> row.paper() != null)
                .as("numbers of table 1")
                .hasSize(20);
    }

    @Test
    void thePrintedReplicationIsShownNextToSlotwises() {
        ExperimentRun both = ExperimentRun.of(AnticipationExperiment.both(), RUNS, SEED);

        assertThat(both.results().rows())
                .filteredOn(row -> row.second() != null)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.point().series()).containsAnyOf("linear", "geometric"));
        assertThat(both.value("linear", "", "U %")).isEqualTo(SMALL.value("linear", "", "U %"));
    }

    @Test
    void threadsDoNotShowInTheResults() {
        assertThat(tally(3, 3).sums()).isEqualTo(tally(3, 1).sums());
    }

    @Test
    void thePapersTableIsNear() {
        assertThat(SMALL.value("lim U 10 %", "", "cost")).isBetween(1200.0, 1500.0);
        assertThat(SMALL.value("lim U 10 %", "", "processor time")).isBetween(165.0, 215.0);
        assertThat(SMALL.value("lim U 0 %", "", "U %")).isZero();
        assertThat(SMALL.value("lim U 10 %", "", "U %")).isBetween(9.5, 10.0);
        assertThat(SMALL.value("lim U 100 %", "", "U %")).isBetween(55.0, 80.0);
    }

    @Test
    void theCertainFindingsHold() {
        assertThat(List.of(
                        SMALL.verdict("the looser the limit"),
                        SMALL.verdict("replicas miss the reference's cost"),
                        SMALL.verdict("backfilling starts and ends jobs before")))
                .containsOnly(Verdict.YES);
        assertThat(SMALL.verdict("replicas lose almost twice")).isEqualTo(Verdict.NO);
    }

    @Test
    void anticipationIsBetweenBackfillingAndTheCyclicSchemeInBothCriteria() {
        for (String nodes : List.of("20", "25", "30", "40")) {
            assertThat(SMALL.value("ANT", nodes, "finish"))
                    .isGreaterThan(SMALL.value("BF", nodes, "finish"))
                    .isLessThan(SMALL.value("CSS", nodes, "finish"));
            assertThat(SMALL.value("ANT T", nodes, "processor time"))
                    .isLessThan(SMALL.value("ANT C", nodes, "processor time"));
            assertThat(SMALL.value("ANT C", nodes, "cost")).isLessThan(SMALL.value("ANT T", nodes, "cost"));
        }
    }
}
