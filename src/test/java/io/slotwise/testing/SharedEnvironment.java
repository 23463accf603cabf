package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * A large cluster of shared nodes: ten instance types that differ in size, performance, price and power. Pods come and
 * go on every node, so that the number of further pods that fit rises and falls.
 *
 * @param cluster nodes and their load
 * @param horizon seconds in which windows may lie
 */
public record SharedEnvironment(Cluster cluster, long horizon) {
    private static final int TYPES = 10;
    private static final long HOUR = 3600;

    /** The prices over time. */
    public enum Prices {
        /** A constant price of its own for each node. */
        FLAT,
        /** A price a type, lower at night: ten classes of nodes. */
        CALENDAR
    }

    /**
     * Returns an environment. The same arguments give the same environment.
     *
     * @param slots the approximate number of slots of a gang on each node
     * @param seed of all random values
     */
    public static SharedEnvironment of(int nodes, int slots, Prices prices, long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        long horizon = Math.max(168, 4L * slots) * HOUR;
        List<Node> all = new ArrayList<>();
        List<Occupation> load = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            Node node = node("n%05d".formatted(i), random.nextInt(TYPES), prices, horizon, random);
            all.add(node);
            load(node, slots, horizon, load, random);
        }
        return new SharedEnvironment(new Cluster(all, load), horizon);
    }

    /**
     * Returns a full environment: pods of 1, 2 or 4 cores occupy every node, each until some second within the next six
     * hours, so that gangs wait.
     *
     * @param seed of all random values
     */
    public static SharedEnvironment busy(int nodes, long seed) {
        return busy(nodes, 3, seed);
    }

    /**
     * Returns a full environment with other sizes of pods.
     *
     * @param sizes the number of sizes, each twice the size before; positive
     */
    public static SharedEnvironment busy(int nodes, int sizes, long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        long horizon = 168 * HOUR;
        List<Node> all = new ArrayList<>();
        List<Occupation> load = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            Node node = node("n%05d".formatted(i), random.nextInt(TYPES), Prices.FLAT, horizon, random);
            all.add(node);
            for (long left = node.allocatable().get(Resources.CPU); left > 0; ) {
                long taken = Math.min(left, 1000L << random.nextInt(sizes));
                left -= taken;
                load.add(new Occupation(
                        "other/" + load.size(),
                        node.name(),
                        Resources.of(Map.of(Resources.CPU, taken, Resources.PODS, 1L)),
                        new Interval(-HOUR, 60 + random.nextLong(6 * HOUR))));
            }
        }
        return new SharedEnvironment(new Cluster(all, load), horizon);
    }

    private static Node node(String name, int type, Prices prices, long horizon, RandomGenerator random) {
        long cores = 8L << (type % 3);
        long perHour = cores * (40_000 + 5_000L * type);
        StepFunction price = switch (prices) {
            case FLAT -> StepFunction.constant(perHour * (800 + random.nextInt(400)) / 1000);
            case CALENDAR -> calendar(perHour, type, horizon);
        };
        return new Node(
                        name,
                        Map.of(),
                        List.of(),
                        true,
                        Resources.of(Map.of(Resources.CPU, cores * 1000, Resources.PODS, 110L)),
                        new Performance(1_000_000L + 150_000L * type),
                        "owner-" + type % 4,
                        price,
                        List.of())
                .withPower((5 + type) * cores * 1000);
    }

    /** Returns half the price for eight hours of each day, at another time for each type. */
    private static StepFunction calendar(long perHour, int type, long horizon) {
        StepFunction.Builder price = StepFunction.startingAt(perHour);
        for (long day = 0; day < horizon * 2; day += 24 * HOUR) {
            price.then(day + type * HOUR, perHour / 2);
            price.then(day + (type + 8) * HOUR, perHour);
        }
        return price.build();
    }

    /** Adds pods of 2 to 8 cores, of which never more run at once than fit. */
    private static void load(Node node, int slots, long horizon, List<Occupation> load, RandomGenerator random) {
        long cores = node.allocatable().get(Resources.CPU) / 1000;
        long stretch = horizon / slots;
        for (int i = 0; i < slots; i++) {
            long taken = cores / 2 + random.nextLong(cores / 2 + 1);
            long start = i * stretch + random.nextLong(stretch / 3);
            long end = start + stretch / 3 + random.nextLong(stretch / 3);
            load.add(new Occupation(
                    "other/" + load.size(),
                    node.name(),
                    Resources.of(Map.of(Resources.CPU, taken * 1000)),
                    new Interval(start, end)));
        }
    }

    /** Eight pods of 4 cores for 15 minutes on the slowest type, with a budget that the fastest types exceed. */
    public static Gang gang(Criterion criterion) {
        return new Gang(
                new GangId("user", "gang"),
                IntStream.range(0, 8).mapToObj(i -> "gang-" + i).toList(),
                new PodRequest(
                        Resources.of(Map.of(Resources.CPU, 4000L, Resources.PODS, 1L)),
                        NodeConstraint.NONE,
                        900,
                        false),
                Demand.NONE
                        .withBudget(new Budget(new Money(8L * 4 * 12_000), null))
                        .withCriterion(criterion),
                0,
                0);
    }

    /**
     * Returns a batch: gangs of 1 to 16 pods of 1, 2 or 4 cores for 5 minutes to 6 hours on the slowest type. Their
     * criteria alternate (except preference), and their budgets suffice for the cheaper half of the nodes.
     *
     * @param seed of all random values
     */
    public static List<Gang> batch(int gangs, long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<Criterion> criteria = Arrays.stream(Criterion.values())
                .filter(criterion -> criterion != Criterion.PREFERENCE)
                .toList();
        List<Gang> batch = new ArrayList<>();
        for (int i = 0; i < gangs; i++) {
            String name = "gang-%04d".formatted(i);
            int pods = 1 + random.nextInt(16);
            long cores = 1L << random.nextInt(3);
            long runtime = 300 * (1 + random.nextLong(72));
            batch.add(new Gang(
                    new GangId("user", name),
                    IntStream.range(0, pods).mapToObj(pod -> name + "-" + pod).toList(),
                    new PodRequest(
                            Resources.of(Map.of(Resources.CPU, cores * 1000, Resources.PODS, 1L)),
                            NodeConstraint.NONE,
                            runtime,
                            false),
                    Demand.NONE
                            .withBudget(new Budget(new Money(pods * cores * 46_000 * runtime / HOUR), null))
                            .withCriterion(criteria.get(i % criteria.size())),
                    0,
                    i));
        }
        return batch;
    }
}
