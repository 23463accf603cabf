package io.slotwise.lab.simulation.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.grid.Grid.Cluster;
import io.slotwise.lab.simulation.grid.GridSimulation.Rules;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.Jobs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class GridSimulationTest {
    private static final int NEVER_AGED = Integer.MAX_VALUE;

    private final List<Job> jobs = new ArrayList<>();

    @Test
    void aGangEndsWithItsSlowestTask() {
        Grid grid = new Grid(List.of(new Cluster(0, 2)), List.of(2000, 1500));
        submit(0, 2, 30);

        GridRecord record = run(grid, rules(GangOrder.AFCFS));

        assertThat(record.averageResponseTime()).isEqualTo(40);
        assertThat(record.utilisation()).isEqualTo(1);
        assertThat(record.lossOfCapacity()).isZero();
    }

    @Test
    void underAfcfsTheFirstGangThatCanStartStarts() {
        submit(0, 2, 100);
        submit(1, 3, 10);
        submit(2, 2, 50);

        GridRecord record = run(uniform(4), rules(GangOrder.AFCFS));

        // The last gang of two finds two idle processors or none, depending on the queues. The gang of three needs a
        // third.
        assertThat(record.executed()).isEqualTo(3);
        assertThat(record.averageResponseTime())
                .isIn((100 + 109 + 50) / 3.0, (100 + 109 + 158) / 3.0, (100 + 109 + 148) / 3.0);
    }

    @Test
    void underLgfsTheLargerGangGoesFirst() {
        submit(0, 4, 100);
        submit(1, 2, 10);
        submit(2, 4, 10);

        assertThat(run(uniform(4), rules(GangOrder.LGFS)).averageResponseTime())
                .isEqualTo((100 + (120 - 1) + (110 - 2)) / 3.0);
        assertThat(run(uniform(4), rules(GangOrder.AFCFS)).averageResponseTime())
                .isEqualTo((100 + (110 - 1) + (120 - 2)) / 3.0);
    }

    @Test
    void aSingleTaskStopsAWholeGangOnlyIfAllProcessorsAreBusy() {
        submit(0, 2, 100);
        submit(40, 1, 10);

        GridRecord idleLeft = run(uniform(3), rules(GangOrder.AFCFS));
        GridRecord resumed = run(uniform(2), rules(GangOrder.AFCFS));

        assertThat(idleLeft.interruptions()).isZero();
        assertThat(idleLeft.averageResponseTime()).isEqualTo((100 + 10) / 2.0);
        assertThat(resumed.interruptions()).isEqualTo(1);
        assertThat(resumed.averageResponseTime()).isEqualTo((110 + 10) / 2.0);
    }

    @Test
    void singleTasksDoNotStopEachOther() {
        submit(0, 1, 100);
        submit(0, 1, 100);
        submit(10, 1, 10);

        GridRecord record = run(uniform(2), rules(GangOrder.AFCFS));

        assertThat(record.interruptions()).isZero();
        assertThat(record.averageResponseTime()).isEqualTo((100 + 100 + 100) / 3.0);
    }

    @Test
    void aGangMigratesToIdleProcessorsOfItsCluster() {
        submit(0, 2, 100);
        submit(0, 2, 50);
        submit(10, 2, 10);
        int moved = 0;

        for (int seed = 0; seed < 20; seed++) {
            GridRecord stays = GridSimulation.run(uniform(4), rules(GangOrder.AFCFS), jobs, generator(seed), 100);
            GridRecord migrates = GridSimulation.run(uniform(4), migrating(NEVER_AGED), jobs, generator(seed), 100);
            if (migrates.localMigrations() > 0) {
                assertThat(stays.averageResponseTime()).isEqualTo((100 + 50 + 100) / 3.0);
                assertThat(migrates.averageResponseTime()).isEqualTo((100 + 50 + 51) / 3.0);
                moved++;
            } else {
                assertThat(migrates.averageResponseTime()).isEqualTo(stays.averageResponseTime());
            }
        }

        assertThat(moved).isPositive();
    }

    @Test
    void aGangSpreadsOverClustersIfItsOwnHasNoRoom() {
        Grid grid = new Grid(List.of(new Cluster(0, 4), new Cluster(4, 4)), Collections.nCopies(8, 2000));
        submit(0, 3, 100);
        submit(0, 3, 100);
        submit(10, 2, 10);

        GridRecord stays = run(grid, rules(GangOrder.AFCFS));
        GridRecord migrates = run(grid, migrating(NEVER_AGED));

        assertThat(stays.averageResponseTime()).isEqualTo((100 + 100 + 100) / 3.0);
        assertThat(migrates.externalMigrations()).isEqualTo(1);
        assertThat(migrates.averageResponseTime()).isEqualTo((100 + 100 + 10 + 5) / 3.0);
    }

    @Test
    void everyJobIsExecutedWhateverHappens() {
        for (int seed = 0; seed < 60; seed++) {
            RandomGenerator random = generator(seed);
            Grid grid = Grid.random(List.of(4, 8), random);
            List<Job> drawn = drawn(random);
            Rules rules = new Rules(
                    seed % 2 == 0 ? GangOrder.AFCFS : GangOrder.LGFS,
                    seed % 3 > 0,
                    seed % 3 > 1,
                    1 + seed % 5,
                    seed % 4,
                    seed % 7);

            GridRecord record = GridSimulation.run(grid, rules, drawn, generator(seed), 20);
            GridRecord again = GridSimulation.run(grid, rules, drawn, generator(seed), 20);

            assertThat(record.executed()).isEqualTo(drawn.size());
            assertThat(record.checkpoints()).hasSize(3).isEqualTo(again.checkpoints());
            assertThat(record.utilisation() + record.lossOfCapacity()).isLessThanOrEqualTo(1 + 1e-9);
            assertThat(record.lossOfCapacityByCluster()).isBetween(0.0, record.lossOfCapacity());
            assertThat(record.localMigrations() + record.externalMigrations() > 0)
                    .isEqualTo(rules.migrates());
        }
    }

    @Test
    void aJobThatIsTooLargeForEveryClusterIsRefused() {
        submit(0, 5, 10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(uniform(4), rules(GangOrder.AFCFS)))
                .withMessage("No cluster has 5 processors; the largest has 4.");
    }

    private static List<Job> drawn(RandomGenerator random) {
        List<Job> drawn = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 60; i++) {
            now += random.nextInt(4);
            drawn.add(job("j" + i, now, random.nextInt(4) == 0 ? 1 : random.nextInt(2, 9), random.nextInt(1, 60)));
        }
        return drawn;
    }

    private GridRecord run(Grid grid, Rules rules) {
        return GridSimulation.run(grid, rules, jobs, generator(1), 100);
    }

    private static Grid uniform(int processors) {
        return new Grid(List.of(new Cluster(0, processors)), Collections.nCopies(processors, 2000));
    }

    private static Rules rules(GangOrder order) {
        return new Rules(order, false, true, 0, 0, 0);
    }

    /** Tasks take 1 s to move within a cluster and 5 s to another. */
    private static Rules migrating(int aging) {
        return new Rules(GangOrder.AFCFS, true, true, aging, 1, 5);
    }

    private void submit(long second, int tasks, long seconds) {
        jobs.add(job("j" + jobs.size(), second, tasks, seconds));
    }

    private static Job job(String id, long submit, int tasks, long seconds) {
        PodRequest processor = new PodRequest(
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)), NodeConstraint.NONE, seconds, false);
        return Jobs.of(id, submit, tasks, processor, seconds, "user");
    }

    private static RandomGenerator generator(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
}
