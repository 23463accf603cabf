package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.RememberedPlan;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.recall.PlanMemory;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.CountedSearches;
import io.slotwise.testing.SharedEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * One node after another is lost, or a pod ends, while gangs wait for a full cluster: many of them move, and
 * alternatives of some lie on the room of others. The plans are those that are made without a memory, with fewer
 * searches.
 */
class LostNodesTest {
    private static final int SEEDS = 4;
    private static final int CHANGES = 9;

    private static Planner planner(SearchObserver observer) {
        return new Planner(Policy.DEFAULT, new PlannerResources(CommonPoolWorkers.ALL, RandomSource.NONE, observer));
    }

    private static Cluster afterLoss(Cluster cluster, RandomGenerator random) {
        List<Node> nodes = new ArrayList<>(cluster.nodes());
        String lost = nodes.remove(random.nextInt(nodes.size())).name();
        return new Cluster(
                nodes,
                cluster.occupations().stream()
                        .filter(held -> !held.node().equals(lost))
                        .toList());
    }

    private static Cluster afterEnd(Cluster cluster, RandomGenerator random) {
        List<Occupation> left = new ArrayList<>(cluster.occupations());
        left.remove(random.nextInt(left.size()));
        return new Cluster(cluster.nodes(), left);
    }

    @Test
    void planIsTheSameAsWithoutAMemory() {
        int fewer = 0;
        int all = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            CountedSearches counted = new CountedSearches();
            CountedSearches countedFresh = new CountedSearches();
            Planner planner = planner(counted);
            Planner fresh = planner(countedFresh);
            Snapshot snapshot = new Snapshot(
                    0,
                    SharedEnvironment.busy(60, seed).cluster(),
                    SharedEnvironment.batch(150, seed).stream()
                            .map(gang -> new Request(gang, null))
                            .toList(),
                    List.of());
            PlanMemory memory = PlanMemory.NOTHING;
            for (int i = 0; i <= CHANGES; i++) {
                RememberedPlan remembered = planner.plan(snapshot, StopSignal.NEVER, memory);

                Plan expected = fresh.plan(snapshot);
                assertThat(remembered.plan()).as("seed %d, plan %d", seed, i).isEqualTo(expected);
                memory = remembered.memory();
                Snapshot published = snapshot.published(expected);
                snapshot = new Snapshot(
                        snapshot.now() + 1,
                        i % 3 == 2 ? afterEnd(snapshot.cluster(), random) : afterLoss(snapshot.cluster(), random),
                        published.requests(),
                        List.of());
                if (i == 0) {
                    counted.reset();
                    countedFresh.reset();
                }
            }
            fewer += counted.count();
            all += countedFresh.count();
        }
        assertThat(fewer).as("searches, of %d", all).isLessThan(all * 3 / 4);
    }
}
