package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Small random clusters and gangs from a seed: shared nodes, running pods, unavailable intervals, price calendars that
 * fall, rise and interleave, taints and labels. The gangs have every limit of the contract.
 */
public final class RandomClusters {
    /** The first second of every cluster. */
    public static final long NOW = 1_000_000;

    /** The seconds after {@link #NOW} in which anything happens. */
    public static final long SPAN = 240;

    private static final long[] SPEEDS = {500_000, 1_000_000, 1_500_000, 2_000_000, 3_000_000};

    private final RandomGenerator random;

    public RandomClusters(RandomGenerator random) {
        this.random = random;
    }

    public Cluster cluster(int nodes) {
        List<Node> all = new ArrayList<>();
        List<Occupation> load = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            Node node = node("n" + i);
            all.add(node);
            load(node, load);
        }
        return new Cluster(all, load);
    }

    private Node node(String name) {
        long cores = 1 + random.nextLong(4);
        List<Interval> unavailable = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            unavailable.add(interval(60));
        }
        return new Node(
                        name,
                        Map.of(
                                "zone",
                                random.nextBoolean() ? "a" : "b",
                                "kind",
                                random.nextInt(4) == 0 ? "slow" : "fast"),
                        random.nextInt(6) == 0
                                ? List.of(new Taint("dedicated", "team", Taint.Effect.NO_SCHEDULE))
                                : List.of(),
                        random.nextInt(12) > 0,
                        Resources.of(Map.of(
                                Resources.CPU, cores * 1000, Resources.MEMORY, cores * 4000, Resources.PODS, 3L)),
                        new Performance(SPEEDS[random.nextInt(SPEEDS.length)]),
                        "owner-" + random.nextInt(2),
                        price(),
                        unavailable)
                .withPower(random.nextInt(9) == 0 ? Node.UNKNOWN : (1 + random.nextInt(5)) * 77_777L);
    }

    /** Returns offers of this many kinds of nodes with all sorts of limits. Some of the offers share a quota. */
    public List<NodeOffer> offers(int kinds) {
        List<NodeOffer> offers = new ArrayList<>();
        for (int i = 0; i < kinds; i++) {
            PurchaseQuota quota =
                    i > 0 && random.nextInt(3) == 0 ? offers.getLast().quota() : quota("q" + i);
            Billing billing = new Billing(
                    random.nextLong(30),
                    random.nextInt(3) == 0 ? random.nextLong(90) : 0,
                    List.of(1L, 10L, 60L).get(random.nextInt(3)),
                    random.nextInt(2) * random.nextLong(10));
            offers.add(new NodeOffer(offered("o" + i), billing, quota, random.nextInt(3) == 0 ? 500_000 : 0));
        }
        return offers;
    }

    private PurchaseQuota quota(String name) {
        return new PurchaseQuota(
                name,
                1 + random.nextInt(3),
                random.nextInt(4) == 0
                        ? Resources.of(Map.of(Resources.CPU, (2 + random.nextLong(5)) * 1000))
                        : Resources.NONE,
                random.nextInt(4) == 0 ? new Money(20_000 + random.nextLong(80_000)) : null);
    }

    public Provisioning provisioning() {
        return new Provisioning(
                Provisioning.Mode.PLAN,
                random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 100,
                null,
                random.nextInt(2) == 0 ? 10_000 : Provisioning.MOST_RISK);
    }

    private Node offered(String name) {
        return node(name).withSchedulable(true).withUnavailable(List.of());
    }

    /** Returns a price that is flat, falls, rises, or goes up and down. Prices have few values, so that ties occur. */
    private StepFunction price() {
        int steps = random.nextInt(3) == 0 ? 0 : random.nextInt(6);
        int shape = random.nextInt(3);
        List<Long> values = new ArrayList<>();
        for (int i = 0; i <= steps; i++) {
            values.add((1 + random.nextInt(9)) * 333_333L);
        }
        switch (shape) {
            case 0 -> values.sort(Comparator.naturalOrder());
            case 1 -> values.sort(Comparator.reverseOrder());
            default -> {}
        }
        StepFunction.Builder price = StepFunction.startingAt(values.getFirst());
        List<Long> breaks =
                random.longs(steps, NOW - 20, NOW + SPAN).sorted().boxed().toList();
        for (int i = 0; i < steps; i++) {
            price.then(breaks.get(i), values.get(i + 1));
        }
        return price.build();
    }

    private Interval interval(int longest) {
        long start = NOW - 30 + random.nextLong(SPAN);
        return new Interval(start, start + 1 + random.nextInt(longest));
    }

    private void load(Node node, List<Occupation> load) {
        long left = node.allocatable().get(Resources.CPU) / 500;
        for (int i = random.nextInt(4); i > 0 && left > 0; i--) {
            long part = 1 + random.nextLong(left);
            left -= part;
            Interval held = interval(120);
            load.add(new Occupation(
                    "other/p" + load.size(),
                    node.name(),
                    Resources.of(Map.of(Resources.CPU, part * 500, Resources.MEMORY, part * 1000)),
                    random.nextInt(10) == 0 ? new Interval(held.start(), Interval.FOREVER) : held));
        }
    }

    /** Returns a gang of one to four pods with a criterion and any limits. */
    public Gang gang(String name, Criterion criterion) {
        int size = 1 + random.nextInt(4);
        long runtime = 5 + random.nextLong(60);
        @Nullable Money slotPrice = random.nextInt(8) == 0 ? new Money((1 + random.nextInt(6)) * 300_000L) : null;
        @Nullable
        Money total = random.nextInt(5) == 0 ? null : new Money(size * runtime * (50 + random.nextLong(1500)) / 4);
        Gang gang = new Gang(
                new GangId("user", name),
                IntStream.range(0, size).mapToObj(i -> name + "-" + i).toList(),
                new PodRequest(resources(), constraint(), runtime, random.nextInt(6) == 0),
                Demand.NONE
                        .withBudget(new Budget(total, slotPrice))
                        .withCriterion(criterion)
                        .withEarliestStart(random.nextInt(4) == 0 ? NOW + random.nextInt(80) : Long.MIN_VALUE)
                        .withDeadline(random.nextInt(3) == 0 ? NOW + 60 + random.nextInt(180) : Interval.FOREVER)
                        .withTopology(Topology.within(random.nextInt(5) == 0 ? TopologyLevel.of("zone") : null))
                        .withMaxPerNode(random.nextInt(4) == 0 ? 1 + random.nextInt(2) : Integer.MAX_VALUE)
                        .withLockstep(random.nextInt(5) == 0),
                random.nextInt(3),
                NOW - random.nextInt(50));
        return switch (criterion) {
            case VALUE -> gang.valuing(ValueOfTime.always(valueOfTime(size)));
            case PREFERENCE -> gang.preferring(preferences(size, runtime));
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME, ENERGY -> gang;
        };
    }

    /** Returns some of a preferred start, finish and cost, mostly near the possible values, with any weights. */
    private Preferences preferences(int size, long runtime) {
        Preferences wish = Preferences.NONE;
        if (random.nextInt(4) > 0) {
            wish = wish.withPreferredStart(new Preferred<>(NOW - 40 + random.nextLong(SPAN + 80), weight()));
        }
        if (random.nextInt(3) > 0) {
            wish = wish.withPreferredFinish(new Preferred<>(NOW - 20 + random.nextLong(SPAN + 80), weight()));
        }
        if (random.nextInt(4) > 0) {
            wish = wish.withPreferredCost(
                    new Preferred<>(new Money(size * runtime * (20 + random.nextLong(500)) / 2), weight()));
        }
        return wish;
    }

    private int weight() {
        return switch (random.nextInt(6)) {
            case 0 -> 1;
            case 1 -> Preferred.MOST;
            case 2, 3 -> Preferred.ONE;
            default -> 1 + random.nextInt(100 * Preferred.ONE);
        };
    }

    /** Returns the same gang with a value of time that falls at some second, mostly while the gang may wait. */
    public Gang falling(Gang gang) {
        return gang.valuing(new ValueOfTime(gang.valueOfTime().hour(), NOW - 60 + random.nextLong(SPAN + 120)));
    }

    /** Gives every other gang that minimizes value a value of time that falls. */
    public Gang fallingAtTimes(Gang gang) {
        return gang.criterion() == Criterion.VALUE && random.nextBoolean() ? falling(gang) : gang;
    }

    /**
     * Returns a value of time for a gang of this size: mostly near the price of its pods, sometimes zero, sometimes
     * larger than any money.
     */
    private Money valueOfTime(int size) {
        return switch (random.nextInt(8)) {
            case 0 -> Money.ZERO;
            case 1 -> new Money(1_000_000_000L);
            default -> new Money(size * (1 + random.nextLong(1_500_000)));
        };
    }

    /** The marks that the pods of {@link #ruled} have and look for. */
    private static final List<String> MARKS = List.of(Place.mark("one"), Place.mark("two"));

    /**
     * Returns the cluster with zones of several nodes and racks of one. Some nodes have neither, and some running pods
     * have marks.
     */
    public Cluster marked(Cluster cluster) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : new Inventory(cluster.inventory()).offering(Set.copyOf(MARKS))) {
            Map<String, String> labels = new TreeMap<>(node.labels());
            labels.put("zone", List.of("a", "b", "c").get(random.nextInt(3)));
            if (random.nextInt(8) == 0) {
                labels.remove("zone");
            }
            if (random.nextInt(8) > 0) {
                labels.put("rack", node.name());
            }
            nodes.add(node.withLabels(labels));
        }
        List<Occupation> load = new ArrayList<>();
        for (Occupation held : cluster.occupations()) {
            load.add(held.of(held.resources().plus(marks(4))));
        }
        return new Cluster(nodes, load);
    }

    private Resources marks(int seldom) {
        Map<String, Long> marks = new TreeMap<>();
        for (String mark : MARKS) {
            if (random.nextInt(seldom) == 0) {
                marks.put(mark, 1L);
            }
        }
        return Resources.of(marks);
    }

    /** Returns the gang with marked pods and this many rules about other pods, each of one or all shapes. */
    public Gang ruled(Gang gang, int rules) {
        List<PodRule> asked = new ArrayList<>();
        for (int i = 0; i < rules; i++) {
            asked.add(rule());
        }
        Resources marks = marks(2);
        boolean all = random.nextBoolean();
        int only = random.nextInt(gang.shapes().size());
        List<Gang.Shape> shapes = new ArrayList<>();
        for (int i = 0; i < gang.shapes().size(); i++) {
            Gang.Shape shape = gang.shapes().get(i);
            PodRequest request = shape.request();
            shapes.add(new Gang.Shape(
                    shape.pods(),
                    new PodRequest(
                            request.resources().plus(all ? marks : marks(2)),
                            all ? gang.shapes().getFirst().request().constraint() : request.constraint(),
                            request.runtime(),
                            request.nodeIndependent(),
                            all || i == only ? asked : List.of())));
        }
        return new Gang(gang.id(), shapes, gang.demand(), gang.priority(), gang.arrival(), PlacementRequest.USUAL)
                .valuing(gang.valueOfTime());
    }

    private PodRule rule() {
        String label = random.nextInt(3) > 0 ? "zone" : "rack";
        String mark = MARKS.get(random.nextInt(MARKS.size()));
        return switch (random.nextInt(3)) {
            case 0 -> new PodRule.Apart(label, mark);
            case 1 -> new PodRule.Together(random.nextInt(4) == 0 ? List.of("zone", "rack") : List.of(label), mark);
            default ->
                new PodRule.Spread(
                        label,
                        mark,
                        1 + random.nextInt(2),
                        1 + random.nextInt(4),
                        new PodRule.Counted(List.of(label), random.nextBoolean(), false));
        };
    }

    /** Returns a gang with pods of two or three shapes, with a criterion and any limits. */
    public Gang mixedGang(String name, Criterion criterion) {
        Gang like = gang(name, criterion);
        List<Gang.Shape> shapes = new ArrayList<>();
        for (int shape = 2 + random.nextInt(2); shape > 0; shape--) {
            String prefix = name + "-" + shape + "-";
            shapes.add(new Gang.Shape(
                    IntStream.range(0, 1 + random.nextInt(2))
                            .mapToObj(i -> prefix + i)
                            .toList(),
                    new PodRequest(
                            resources(),
                            constraint(),
                            like.runtime(),
                            like.request().nodeIndependent())));
        }
        return new Gang(
                        like.id(),
                        shapes,
                        like.demand().withCriterion(criterion),
                        like.priority(),
                        like.arrival(),
                        PlacementRequest.USUAL)
                .valuing(like.valueOfTime());
    }

    private Resources resources() {
        return Resources.of(Map.of(
                Resources.CPU,
                (1 + random.nextInt(4)) * 500L,
                Resources.MEMORY,
                (1 + random.nextInt(4)) * 1000L,
                Resources.PODS,
                1L));
    }

    private NodeConstraint constraint() {
        return new NodeConstraint(
                random.nextInt(5) == 0 ? Map.of("kind", "fast") : Map.of(),
                List.of(),
                random.nextInt(3) == 0
                        ? List.of(new NodeConstraint.Toleration("dedicated", false, "team", null))
                        : List.of(),
                random.nextInt(10) == 0 ? Set.of("n0") : Set.of());
    }
}
