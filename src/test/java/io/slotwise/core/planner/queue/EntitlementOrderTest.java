package io.slotwise.core.planner.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of queues, seen in the starts of gangs that all need as much for one hour. */
class EntitlementOrderTest {
    private static final long NOW = 1_000_000;
    private static final long HOUR = 3600;

    private final List<Request> requests = new ArrayList<>();
    private final List<QueueUse> running = new ArrayList<>();

    private static Resources cores(long cores) {
        return Resources.of(Map.of(Resources.CPU, cores * 1000));
    }

    private static Queue queue(String name, @Nullable String parent, int weight, long guaranteedCores) {
        return new Queue(
                name,
                parent,
                weight,
                guaranteedCores == 0 ? Map.of() : Map.of(Resources.CPU, Amount.of(guaranteedCores * 1000)),
                Map.of(),
                Map.of(),
                false);
    }

    private void submit(String queue, int gangs) {
        for (int i = 0; i < gangs; i++) {
            String name = "%s-%04d".formatted(queue, i);
            Gang gang = new Gang(
                    new GangId("user", name),
                    List.of(name),
                    new PodRequest(cores(1).with(Resources.PODS, 1), NodeConstraint.NONE, HOUR, true),
                    Demand.NONE.withQueue(queue),
                    0,
                    NOW - 1000 + requests.size());
            requests.add(new Request(gang, null));
        }
    }

    private Plan plan(long cores, Queue... queues) {
        Node node = new Node(
                "n",
                Map.of(),
                List.of(),
                true,
                cores(cores).with(Resources.PODS, 1000),
                new Performance(1_000_000),
                "owner",
                StepFunction.constant(0),
                List.of());
        QueueTree tree = QueueTree.of(List.of(queues), node.allocatable());
        assertThat(tree.faults()).isEmpty();
        Snapshot snapshot = new Snapshot(NOW, new Cluster(List.of(node), List.of()), requests, List.of())
                .withQueues(new QueueState(tree, running));
        Policy policy = Policy.EXACT.withHorizon(100 * HOUR).withTurnover(0);

        Plan plan = new Planner(policy).plan(snapshot);

        if (requests.size() < 50) {
            assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        }
        return plan;
    }

    /** Returns how many gangs of each queue start in each hour. */
    private List<Map<String, Integer>> starts(long cores, Queue... queues) {
        Plan plan = plan(cores, queues);

        assertThat(plan.pending()).isEmpty();
        List<Map<String, Integer>> starts = new ArrayList<>();
        plan.windows().forEach(planned -> {
            int hour = (int) ((planned.window().start() - NOW) / HOUR);
            while (starts.size() <= hour) {
                starts.add(new TreeMap<>());
            }
            starts.get(hour).merge(planned.gang().queue(), 1, Integer::sum);
        });
        return starts;
    }

    @Test
    void servesQueuesByTheirWeights() {
        submit("b", 8);
        submit("a", 24);

        List<Map<String, Integer>> starts = starts(4, queue("a", null, 3, 0), queue("b", null, 1, 0));

        assertThat(starts).hasSize(8).containsOnly(Map.of("a", 3, "b", 1));
    }

    @Test
    void servesGangsWithinTheirGuaranteeFirst() {
        submit("borrower", 4);
        submit("owner", 2);

        List<Map<String, Integer>> starts = starts(2, queue("borrower", null, 100, 0), queue("owner", null, 0, 2));

        assertThat(starts).startsWith(Map.of("owner", 2));
    }

    @Test
    void givesEveryQueueItsEntitlementInEveryHour() {
        submit("a", 80);
        submit("b", 50);
        submit("c", 80);
        submit("d", 50);
        submit("e", 65);

        List<Map<String, Integer>> starts = starts(
                100,
                queue("a", null, 5, 0),
                queue("b", null, 3, 0),
                queue("c", null, 1, 20),
                queue("d", null, 1, 10),
                queue("e", null, 0, 20));

        // No queue is guaranteed the other 50 cores: 5, 3, 1 and 1 parts of 5 cores each.
        assertThat(starts.subList(0, 3)).containsOnly(Map.of("a", 25, "b", 15, "c", 25, "d", 15, "e", 20));
    }

    @Test
    void dividesAmongSiblingsBeforeTheirChildren() {
        submit("physics", 20);
        submit("biology", 20);
        submit("art", 20);

        List<Map<String, Integer>> starts = starts(
                4,
                queue("science", null, 1, 0),
                queue("physics", "science", 1, 0),
                queue("biology", "science", 1, 0),
                queue("art", null, 1, 0));

        assertThat(starts.subList(0, 9)).containsOnly(Map.of("physics", 1, "biology", 1, "art", 2));
    }

    @Test
    void countsRunningUse() {
        submit("a", 4);
        submit("b", 4);
        submit("c", 4);
        running.add(new QueueUse("user/run", "a", cores(2), new Interval(NOW - HOUR, NOW + HOUR)));

        List<Map<String, Integer>> starts =
                starts(4, queue("a", null, 1, 0), queue("b", null, 1, 0), queue("c", null, 1, 0));

        assertThat(starts.getFirst()).isEqualTo(Map.of("b", 2, "c", 2));
    }

    @Test
    void aGangThatRunsForLongCountsNoMoreThanAShortOne() {
        submit("a", 2);
        submit("b", 2);
        running.add(new QueueUse("user/long", "a", cores(2), new Interval(NOW - HOUR, NOW + 99 * HOUR)));
        running.add(new QueueUse("user/short", "b", cores(2), new Interval(NOW - HOUR, NOW + HOUR)));

        List<Map<String, Integer>> starts = starts(2, queue("a", null, 1, 0), queue("b", null, 1, 0));

        assertThat(starts.getFirst()).isEqualTo(Map.of("a", 1, "b", 1));
    }

    @Test
    void tellsThePlaceOfEachGangInItsQueue() {
        submit("b", 2);
        submit("a", 3);
        submit("nowhere", 1);

        Map<GangId, Integer> positions =
                plan(1, queue("a", null, 1, 0), queue("b", null, 1, 0)).positions();

        assertThat(positions)
                .isEqualTo(Map.of(id("b-0000"), 1, id("b-0001"), 2, id("a-0000"), 1, id("a-0001"), 2, id("a-0002"), 3));
    }

    @Test
    void aGangThatIsServedFirstIsTheFirstOfItsQueue() {
        submit("a", 3);
        requests.set(2, requests.get(2).withPassed(Policy.EXACT.queue().passingLimit() + 1));

        assertThat(plan(1, queue("a", null, 1, 0)).positions())
                .isEqualTo(Map.of(id("a-0002"), 1, id("a-0000"), 2, id("a-0001"), 3));
    }

    private static GangId id(String name) {
        return new GangId("user", name);
    }
}
