package io.slotwise.lab.experiment.cyclic;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Situation;
import io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.EarlyEnds;
import io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.EarlyEnds.Actual;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The experiments of the paper on the cyclic scheme. Proves that all numbers exist, and that the certain findings hold.
 */
class CyclicExperimentsTest {
    private static void assertComplete(ExperimentRun run, int rows) {
        assertThat(run.results().rows())
                .hasSizeGreaterThanOrEqualTo(rows)
                .allSatisfy(row -> assertThat(row.value())
                        .as(row.point().toString())
                        .isNotNull()
                        .isFinite());
        assertThat(run.results().rows().stream().map(ComparedNumber::point)).doesNotHaveDuplicates();
    }

    @Test
    void usersGetWhatTheyAskFor() {
        ExperimentRun run = ExperimentRun.of(UserCriteriaExperiment.firstReading(), 20);

        assertComplete(run, 9 * 5);
        assertThat(run.row("CSS", "", "alternatives").paper()).isEqualTo(12.1);
        assertThat(run.value("CSS", "", "alternatives")).isBetween(10.0, 16.0);
        assertThat(run.value("fair sharing, cost", "", "cost")).isLessThan(run.value("CSS", "", "cost"));
        assertThat(run.value("fair sharing, runtime", "", "runtime")).isLessThan(run.value("CSS", "", "runtime"));
        assertThat(run.value("exact, finish", "", "finish")).isLessThan(run.value("CSS", "", "finish"));
    }

    @Test
    void subBatchesHaveMoreAlternatives() {
        ExperimentRun run = ExperimentRun.of(SubBatchesExperiment.firstReading(), 5);

        assertComplete(run, 3 * 7 * 4);
        assertThat(run.verdict("the alternatives of a job grow with k")).isEqualTo(Verdict.YES);
        assertThat(run.value("high load", "1", "failures")).isGreaterThan(run.value("low load", "1", "failures"));
    }

    @Test
    void anExpensiveNodeIsNotUsed() {
        ExperimentRun run = ExperimentRun.of(OwnersExperiment.firstReading(), 15);

        assertComplete(run, 5 * 4);
        assertThat(run.value("node", "2", "load"))
                .isGreaterThan(run.value("node", "6", "load"))
                .isLessThan(600);
        assertThat(run.value("node", "6", "load")).isGreaterThan(run.value("node", "10", "load"));
        assertThat(run.value("node", "6", "utilisation")).isBetween(0.0, 1.0);
    }

    @Test
    void aLargerCyclicPartSavesProcessorTimeAndStartsLater() {
        ExperimentRun run = ExperimentRun.of(new CombinedExperiment(), 12);

        assertComplete(run, 2 * 11 * 3);
        assertThat(run.value("combined", "0.0", "processor time"))
                .isGreaterThan(run.value("combined", "1.0", "processor time"));
        assertThat(run.verdict("the curves of processor time and start cross at a compromise"))
                .isEqualTo(Verdict.YES);
    }

    @Test
    void backfillingStartsEarlierAndTakesMoreProcessorTime() {
        ExperimentRun run = ExperimentRun.of(CyclicVsBackfillExperiment.firstReading(), 12);

        assertComplete(run, 4 * 4 + 4 * 6 * 5);
        assertThat(List.of(
                        run.verdict("backfilling starts first"),
                        run.verdict("with more nodes backfilling starts earlier"),
                        run.verdict("the cyclic scheme and the combined method take less processor time")))
                .containsOnly(Verdict.YES);
        assertThat(run.value("CSS", "", "start, actual")).isEqualTo(run.value("CSS", "", "start, planned"));
    }

    @Test
    void theSameSeedMakesTheSameBatch() {
        Situation situation = Situation.of(24, 5);

        assertThat(Situation.of(24, 5)).isEqualTo(situation);
        assertThat(situation.users()).hasSize(20).allSatisfy(gang -> {
            assertThat(gang.size()).isBetween(2, 6);
            assertThat(gang.runtime()).isBetween(100L, 500L);
            assertThat(CyclicPaper.CRITERIA).contains(gang.criterion());
        });
        assertThat(situation.indifferentFrom(3).stream().skip(3).map(Gang::criterion))
                .containsOnly(Criterion.START);
        assertThat(situation.indifferentFrom(3).subList(0, 3))
                .isEqualTo(situation.users().subList(0, 3));
    }

    @Test
    void jobsThatEndEarlyTakeLessTimeAndLetBackfillingStartEarlier() {
        Situation situation = Situation.of(24, 5);
        Plan planned = situation.plan(CyclicScheme.backfilling(), situation.indifferent());
        EarlyEnds ends = new EarlyEnds(situation.users(), Seeds.generator(9));

        Actual fixed = ends.fixed(planned);
        Actual replanned = ends.replanned(
                        CyclicScheme.backfilling(), situation.environment().cluster(), situation.indifferent())
                .orElseThrow();

        assertThat(planned.pending()).isEmpty();
        double start = CycleMeans.mean(planned, window -> window.start());
        assertThat(fixed.start()).isEqualTo(start);
        assertThat(fixed.processorTime())
                .isBetween(
                        0.4 * CycleMeans.mean(planned, window -> window.processorTime()),
                        0.8 * CycleMeans.mean(planned, window -> window.processorTime()));
        assertThat(replanned.start()).isLessThan(start);
    }

    @Test
    void theShiftOnlyBringsStartsForward() {
        Situation situation = Situation.of(24, 5);
        Plan plan = situation.plan(CyclicScheme.cyclic(Searching.AEP, 1), situation.indifferent());
        Plan shifted =
                situation.plan(CyclicScheme.shifted(CyclicScheme.cyclic(Searching.AEP, 1)), situation.indifferent());

        assertThat(CycleMeans.mean(shifted, window -> window.start()))
                .isLessThan(CycleMeans.mean(plan, window -> window.start()));
        assertThat(CycleMeans.mean(shifted, window -> window.processorTime()))
                .isEqualTo(CycleMeans.mean(plan, window -> window.processorTime()));
    }
}
