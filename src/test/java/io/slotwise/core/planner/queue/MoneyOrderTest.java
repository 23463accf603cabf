package io.slotwise.core.planner.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.FairBy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueEntitlements;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of queues by money, seen in the starts of gangs that need the only processor one after the other. */
class MoneyOrderTest {
    private static final long NOW = 1_000_000;
    private static final long HOUR = 3600;
    private static final long PRICE = 3_600_000;
    private static final long MEMORY = 100_000;
    private static final String OWN = "/";

    private final List<Request> requests = new ArrayList<>();
    private final Map<String, Cost> used = new HashMap<>();

    private static Queue queue(String name, @Nullable String parent, int weight, Map<String, Amount> guarantee) {
        return new Queue(name, parent, weight, guarantee, Map.of(), Map.of(), false);
    }

    private static Queue queue(String name, @Nullable String parent, int weight) {
        return queue(name, parent, weight, Map.of());
    }

    private static Cost hours(long hours) {
        return new Cost(PRICE * HOUR * hours);
    }

    private void submit(String queue, long hours) {
        String name = "g%02d".formatted(requests.size());
        Gang gang = new Gang(
                new GangId("user", name),
                List.of(name),
                new PodRequest(
                        Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)),
                        NodeConstraint.NONE,
                        HOUR * hours,
                        true),
                Demand.NONE.withQueue(queue),
                0,
                NOW - 1000 + requests.size());
        requests.add(new Request(gang, null));
    }

    private static Node node() {
        return new Node(
                "n",
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.MEMORY, MEMORY, Resources.PODS, 10L)),
                new Performance(1_000_000),
                "owner",
                StepFunction.constant(PRICE),
                List.of());
    }

    /** Returns the queues of the gangs in the order of their starts. */
    private List<String> order(QueueTree tree) {
        Policy policy = Policy.EXACT
                .withHorizon(200 * HOUR)
                .withTurnover(0)
                .withQueue(new Policy.Queue(
                        Policy.Order.FIFO, 100 * HOUR, 0, Policy.EXACT.queue().halfLife(), FairBy.MONEY));
        Snapshot snapshot = new Snapshot(NOW, new Cluster(List.of(node()), List.of()), requests, List.of())
                .withQueues(new QueueState(tree, List.of()))
                .withUsed(used);
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(plan.pending()).isEmpty();
        return plan.windows().stream()
                .sorted(Comparator.comparingLong(planned -> planned.window().start()))
                .map(planned -> String.valueOf(planned.gang().queue()))
                .toList();
    }

    private static QueueTree tree(Queue... queues) {
        QueueTree tree = QueueTree.of(List.of(queues), node().allocatable());
        assertThat(tree.faults()).isEmpty();
        return tree;
    }

    @Test
    void servesTheQueueThatHasSpentLeastByItsWeight() {
        Stream.of("a", "b", "a", "b", "a", "b").forEach(queue -> submit(queue, 1));
        used.put(Account.ofQueue("a"), hours(4));
        used.put(Account.ofQueue("b"), hours(2));

        // By their weights a has spent 4/3 and b 2.
        assertThat(order(tree(queue("a", null, 3), queue("b", null, 1)))).containsExactly("a", "a", "a", "b", "b", "b");
    }

    @Test
    void countsWhatQueuesBelowHaveSpent() {
        submit("a", 1);
        submit("b", 1);
        used.put(Account.ofQueue("below"), hours(1));

        assertThat(order(tree(queue("a", null, 1), queue("below", "a", 1), queue("b", null, 1))))
                .containsExactly("b", "a");
    }

    @Test
    void ordersAsTheDefinitionDoes() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            requests.clear();
            used.clear();
            QueueTree tree = tree(
                    queue("a", null, random.nextInt(4)),
                    queue("a1", "a", random.nextInt(4)),
                    queue("a2", "a", random.nextInt(4)),
                    queue("b", null, random.nextInt(4), Map.of(Resources.MEMORY, Amount.of(random.nextLong(MEMORY)))),
                    queue("c", null, random.nextInt(4)));
            List<String> names = List.of("a", "a1", "a2", "b", "c");
            names.forEach(name -> used.put(Account.ofQueue(name), hours(random.nextInt(4))));
            for (int i = 0; i < 9; i++) {
                submit(names.get(random.nextInt(names.size())), 1 + random.nextInt(3));
            }

            assertThat(order(tree)).as("seed %d", seed).isEqualTo(expected(tree));
        }
    }

    /** Returns the order by its definition: at each step the least share among those that compete. */
    private List<String> expected(QueueTree tree) {
        Map<String, List<Gang>> waiting = new HashMap<>();
        requests.forEach(
                request -> waiting.computeIfAbsent(String.valueOf(request.gang().queue()), _ -> new ArrayList<>())
                        .add(request.gang()));
        QueueEntitlements entitlements = new QueueEntitlements(tree, NOW, waiting.keySet());
        Map<String, BigDecimal> spent = new HashMap<>();
        for (String queue : tree.names()) {
            add(tree, spent, queue, used.getOrDefault(Account.ofQueue(queue), Cost.ZERO));
        }
        List<String> order = new ArrayList<>();
        while (order.size() < requests.size()) {
            String next = Queue.ROOT;
            while (!next.endsWith(OWN)) {
                next = Stream.concat(tree.children(next).stream(), Stream.of(next + OWN))
                        .filter(name -> hasGangs(tree, waiting, name))
                        .min(Comparator.comparing((String name) -> name.endsWith(OWN))
                                .thenComparing(name -> share(entitlements, spent, name))
                                .thenComparing(name -> name))
                        .orElseThrow();
            }
            String queue = next.substring(0, next.length() - 1);
            Gang gang = Objects.requireNonNull(waiting.get(queue)).removeFirst();
            order.add(queue);
            add(tree, spent, queue, new Cost(PRICE * gang.runtime()));
        }
        return order;
    }

    private static boolean hasGangs(QueueTree tree, Map<String, List<Gang>> waiting, String name) {
        return name.endsWith(OWN)
                ? !waiting.getOrDefault(name.substring(0, name.length() - 1), List.of())
                        .isEmpty()
                : waiting.entrySet().stream()
                        .anyMatch(entry -> !entry.getValue().isEmpty()
                                && tree.path(entry.getKey()).contains(name));
    }

    private static void add(QueueTree tree, Map<String, BigDecimal> spent, String queue, Cost cost) {
        Stream.concat(tree.path(queue).stream(), Stream.of(queue + OWN))
                .forEach(name -> spent.merge(name, new BigDecimal(cost.exact()), BigDecimal::add));
    }

    /** Returns the share with 50 digits. A queue that spent something and is entitled to nothing has the most. */
    private static BigDecimal share(QueueEntitlements entitlements, Map<String, BigDecimal> spent, String name) {
        long[] entitled =
                name.endsWith(OWN) ? entitlements.ofOwn(name.substring(0, name.length() - 1)) : entitlements.of(name);
        BigDecimal part = new BigDecimal(entitled[0])
                .divide(new BigDecimal(1000), new MathContext(50))
                .max(new BigDecimal(entitled[1]).divide(new BigDecimal(MEMORY), new MathContext(50)));
        BigDecimal cost = spent.getOrDefault(name, BigDecimal.ZERO);
        if (part.signum() == 0) {
            return cost.signum() == 0 ? cost : cost.scaleByPowerOfTen(60);
        }
        return cost.divide(part, new MathContext(50));
    }
}
