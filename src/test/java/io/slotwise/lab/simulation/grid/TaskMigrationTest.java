package io.slotwise.lab.simulation.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.grid.GridSimulation.TaskMigration;
import io.slotwise.lab.simulation.grid.GridSimulation.TaskMigration.Move;
import io.slotwise.testing.Jobs;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Processors 0 and 1 are idle, 2 to 5 busy. */
class TaskMigrationTest {
    private final Occupancy occupancy = new Occupancy(6);
    private final List<Integer> idle = List.of(0, 1);

    @Test
    void theGangWithTheFewestTasksToMoveGoes() {
        GridJob two = gang(0, 0, 2);
        GridJob none = gang(1, 1, 2, 3);
        GridJob behind = gang(2, 0, 3);

        Move move = Objects.requireNonNull(migration(3).next(List.of(none, two, behind), idle));

        assertThat(move.job()).isSameAs(two);
        assertThat(move.tasks()).isEqualTo(1);
        assertThat(move.to()).isEqualTo(bits(0, 1));
    }

    @Test
    void aGangBehindAnotherOneDoesNotMigrate() {
        GridJob large = gang(0, 0, 1, 2);
        GridJob behind = gang(1, 1, 3);

        assertThat(migration(3).next(List.of(large, behind), idle)).isNull();
    }

    @Test
    void tasksGoToTheShortestQueues() {
        occupancy.enqueue(bits(1));
        GridJob job = gang(0, 0, 4);

        Move move = Objects.requireNonNull(migration(3).next(List.of(job), List.of(0, 1, 2)));

        assertThat(move.to()).isEqualTo(bits(0, 2));
    }

    @Test
    void anAgedGangLetsNoTaskMigratePastIt() {
        GridJob large = gang(0, 2, 3, 4);
        GridJob small = gang(1, 0, 5);
        TaskMigration migration = migration(2);

        large.passOver();
        assertThat(migration.next(List.of(large, small), idle)).isNotNull();
        large.passOver();
        assertThat(migration.next(List.of(large, small), idle)).isNull();
    }

    private TaskMigration migration(int aging) {
        return new TaskMigration(occupancy, aging);
    }

    private static GridJob gang(long number, int... processors) {
        PodRequest processor = new PodRequest(
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)), NodeConstraint.NONE, 10, false);
        GridJob job = new GridJob(Jobs.of("j" + number, number, processors.length, processor, 10, "user"), number);
        job.moveTo(bits(processors));
        return job;
    }

    private static BitSet bits(int... numbers) {
        BitSet bits = new BitSet();
        for (int number : numbers) {
            bits.set(number);
        }
        return bits;
    }
}
