package io.slotwise.lab.experiment.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Replications;
import io.slotwise.lab.experiment.Tally;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScaleExperimentTest {
    /** The seed of a replication that also runs CSA. */
    private static final long WITH_CSA = 8;

    /** A clock on which every search takes a millisecond. */
    private static AtomicLong steady() {
        return new AtomicLong();
    }

    private static ScaleExperiment nodes(AtomicLong clock) {
        return ScaleExperiment.nodes(() -> clock.getAndAdd(1_000_000));
    }

    /** A replication without the warm-up. */
    private static Tally once(ScaleExperiment experiment) {
        Tally tally = new Tally();
        experiment.run(WITH_CSA, tally);
        return tally;
    }

    @Test
    void everyCellOfThePapersTablesHasAMeasuredNumber() {
        for (ScaleExperiment experiment :
                List.of(nodes(steady()), ScaleExperiment.interval(steady()::incrementAndGet))) {
            ExperimentResults results = Replications.conclude(experiment, 1, WITH_CSA, once(experiment));

            assertThat(results.rows())
                    .hasSizeGreaterThan(60)
                    .allSatisfy(row -> assertThat(row.value()).isNotNull().isFinite());
            assertThat(results.rows())
                    .filteredOn(row -> row.point().series().equals("AMP"))
                    .allSatisfy(row -> assertThat(row.paper()).isNotNull());
        }
    }

    @Test
    void timesAreTheHandedInClocks() {
        Tally tally = once(nodes(steady()));

        assertThat(tally.mean("AMP", "400", "ms")).isEqualTo(1);
        assertThat(tally.mean("CSA", "50", "ms")).isEqualTo(1);
        assertThat(tally.mean("CSA", "400", "alternatives")).isBetween(200.0, 400.0);
        assertThat(nodes(steady()).profile().timed()).isTrue();
    }

    @Test
    void thePapersOwnTimesHaveTheExponentsThatItClaims() {
        ExperimentResults results = Replications.conclude(nodes(steady()), 1, WITH_CSA, once(nodes(steady())));
        ExperimentRun run = new ExperimentRun(results);

        assertThat(run.row("CSA", "", "exponent").paper()).isCloseTo(2.8, within(0.1));
        assertThat(run.row("minCost", "", "exponent").paper()).isCloseTo(1.9, within(0.1));
        assertThat(run.row("AMP", "", "exponent").paper()).isCloseTo(1.0, within(0.1));
    }

    @Test
    void theExponentOfAPowerLawIsFound() {
        assertThat(ScaleExperiment.exponent(List.of(1.0, 2.0, 10.0), List.of(3.0, 12.0, 300.0)))
                .isCloseTo(2, within(1e-9));
    }

    @Test
    void csaIsRunInSomeReplicationsOnly() {
        Tally tally = new Tally();

        nodes(steady()).run(WITH_CSA + 1, tally);

        assertThat(tally.mean("AMP", "50", "ms")).isEqualTo(1);
        assertThat(tally.mean("CSA", "50", "ms")).isNaN();
    }
}
