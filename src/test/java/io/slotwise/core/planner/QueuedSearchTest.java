package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.QueueOracle;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RandomQueues;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows of gangs in queues. */
class QueuedSearchTest {
    private static final int CASES = 150;

    private static Resources capacity(Cluster cluster) {
        Resources capacity = Resources.NONE;
        for (int i = 0; i < cluster.inventory().size(); i++) {
            capacity = capacity.plus(cluster.inventory().get(i).allocatable());
        }
        return capacity;
    }

    private static Gang in(String queue, Gang gang) {
        return gang.asking(gang.demand().withQueue(queue));
    }

    /** A thousand cases over all criteria. */
    @ParameterizedTest
    @EnumSource
    void findsTheWindowThatTryingEverySecondOfAllQueuesFinds(Criterion criterion) {
        int found = 0;
        int bound = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(1 + random.nextInt(4));
            Resources capacity = capacity(cluster);
            RandomQueues queues = new RandomQueues(random, capacity);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), capacity);
            List<QueueUse> uses = queues.uses(tree.names(), 4);
            String queue = tree.names().get(random.nextInt(tree.names().size()));
            Gang gang = in(
                    queue, random.nextInt(4) == 0 ? clusters.mixedGang("g", criterion) : clusters.gang("g", criterion));
            Policy policy = ExactSearchTest.policy(RandomClusters.SPAN, random.nextInt(3) == 0 ? 3 : 0);
            Snapshot snapshot = new Snapshot(RandomClusters.NOW, cluster, List.of(new Request(gang, null)), List.of())
                    .withQueues(new QueueState(tree, uses));
            QueueOracle oracle = new QueueOracle(tree, capacity, uses);
            BitSet open = new BitSet();
            for (int t = 0; t < 2 * RandomClusters.SPAN; t++) {
                open.set(t, oracle.allows(queue, gang.total(), RandomClusters.NOW + t));
            }

            Plan plan = new Planner(policy).plan(snapshot);

            BruteForce.Best best = BruteForce.best(
                    cluster,
                    policy,
                    gang,
                    RandomClusters.NOW,
                    (start, end) -> open.nextClearBit((int) (start - RandomClusters.NOW)) >= end - RandomClusters.NOW);
            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(plan.windows().stream()
                            .map(p -> new BruteForce.Best(
                                    p.window().value(p.gang()),
                                    p.window().start(),
                                    p.window().cost().microSecondsPerHour()))
                            .toList())
                    .as("seed %d: %s", seed, gang)
                    .isEqualTo(best == null ? List.of() : List.of(best));
            found += best == null ? 0 : 1;
            BruteForce.Best free = BruteForce.best(cluster, policy, gang, RandomClusters.NOW);
            bound += free == null || free.equals(best) ? 0 : 1;
        }
        assertThat(found).as("cases with a window").isGreaterThan(CASES / 6);
        assertThat(bound).as("cases in which the queue decides").isGreaterThan(CASES / 8);
    }

    @Test
    void keepsEveryLimitInPlansOfManyGangsFromCycleToCycle() {
        for (int seed = 0; seed < 100; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(5);
            Resources capacity = capacity(cluster);
            RandomQueues queues = new RandomQueues(random, capacity);
            QueueTree tree = QueueTree.of(queues.queues(6), capacity);
            List<QueueUse> uses = queues.uses(tree.names(), 2);
            List<Request> requests = new ArrayList<>();
            for (Request request : ExactSearchTest.requests(clusters, 8)) {
                requests.add(new Request(in(queues.any(tree.names()), request.gang()), null));
            }
            Policy policy = ExactSearchTest.policy(RandomClusters.SPAN, 0);
            Snapshot first = new Snapshot(RandomClusters.NOW, cluster, requests.subList(0, 4), List.of())
                    .withQueues(new QueueState(tree, uses));

            Plan plan = new Planner(policy).plan(first);

            assertThat(PlanChecker.faults(first, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            List<Request> all = new ArrayList<>(first.published(plan).requests());
            all.addAll(requests.subList(4, 8));
            Snapshot next = first.withRequests(all);

            Plan later = new Planner(policy).plan(next);

            assertThat(PlanChecker.faults(next, policy, later))
                    .as("seed %d, next", seed)
                    .isEmpty();
        }
    }

    @Test
    void saysThatAQueueDoesNotExistOrHasNoRoom() {
        Cluster cluster = new RandomClusters(ExactSearchTest.seeded(3)).cluster(4);
        Gang gang = new Gang(
                new GangId("user", "g"),
                List.of("g-0"),
                new PodRequest(
                        Resources.of(Map.of(Resources.CPU, 500L, Resources.PODS, 1L)), NodeConstraint.NONE, 10, true),
                Demand.NONE,
                0,
                RandomClusters.NOW);
        Policy policy = ExactSearchTest.policy(RandomClusters.SPAN, 0);
        Queue narrow = new Queue("narrow", null, 1, Map.of(), Map.of(Resources.CPU, Amount.of(1)), Map.of(), false);
        QueueState state = new QueueState(QueueTree.of(List.of(narrow), capacity(cluster)), List.of());
        Snapshot snapshot = new Snapshot(
                        RandomClusters.NOW, cluster, List.of(new Request(in("narrow", gang), null)), List.of())
                .withQueues(state);
        assertThat(new Planner(policy)
                        .plan(snapshot.withRequests(List.of(new Request(gang, null))))
                        .windows())
                .hasSize(1);

        assertThat(new Planner(policy).plan(snapshot).pending().getFirst().refusal())
                .isEqualTo(new Refusal.QueueFull("narrow", RandomClusters.SPAN));
        assertThat(new Planner(policy)
                        .plan(snapshot.withRequests(List.of(new Request(in("gone", gang), null))))
                        .pending()
                        .getFirst()
                        .refusal())
                .isEqualTo(new Refusal.QueueClosed("gone", "does not exist"));
    }
}
