package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopologySearchTest {
    private static final int CASES = 1000;
    private static final List<Criterion> CRITERIA = List.copyOf(EnumSet.allOf(Criterion.class));

    private static final TopologyLevel BLOCK = TopologyLevel.of("block");
    private static final TopologyLevel RACK = new TopologyLevel(List.of("block", "rack"));

    /** A rack has the same name in each block, and some nodes have no rack. */
    private static Cluster inRacks(Cluster cluster, RandomGenerator random) {
        List<Node> nodes = cluster.inventory().stream()
                .map(node -> {
                    Map<String, String> labels = new HashMap<>(node.labels());
                    labels.put("block", random.nextBoolean() ? "a" : "b");
                    if (random.nextInt(8) > 0) {
                        labels.put("rack", random.nextBoolean() ? "1" : "2");
                    }
                    return node.withLabels(labels);
                })
                .toList();
        return new Cluster(nodes, cluster.occupations());
    }

    private static BruteForce.@Nullable Best found(Plan plan) {
        return plan.windows().stream()
                .map(TopologySearchTest::figures)
                .findFirst()
                .orElse(null);
    }

    private static BruteForce.Best figures(Planned planned) {
        return new BruteForce.Best(
                planned.window().value(planned.gang()),
                planned.window().start(),
                planned.window().cost().microSecondsPerHour());
    }

    interface Expectation {
        BruteForce.@Nullable Best of(Cluster cluster, Policy policy, Gang gang);
    }

    private static void compare(
            int mostNodes, Function<RandomGenerator, Topology> topologies, Expectation expectation) {
        int found = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = inRacks(clusters.cluster(2 + random.nextInt(mostNodes - 1)), random);
            Criterion criterion = CRITERIA.get(seed % CRITERIA.size());
            Gang gang = (random.nextInt(4) == 0 ? clusters.mixedGang("g", criterion) : clusters.gang("g", criterion))
                    .within(topologies.apply(random));
            Policy policy = policy(RandomClusters.SPAN, random.nextInt(3) == 0 ? random.nextInt(8) : 0);
            Snapshot snapshot = new Snapshot(RandomClusters.NOW, cluster, List.of(new Request(gang, null)), List.of());

            Plan plan = new Planner(policy).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            BruteForce.Best best = expectation.of(cluster, policy, gang);
            assertThat(found(plan)).as("seed %d: %s", seed, gang).isEqualTo(best);
            found += best == null ? 0 : 1;
        }
        assertThat(found).as("cases with a window").isBetween(CASES / 6, CASES * 9 / 10);
    }

    static BruteForce.@Nullable Best exhaustive(Cluster cluster, Policy policy, Gang gang) {
        return BruteForce.best(cluster, policy, gang, RandomClusters.NOW);
    }

    @Test
    void aRequiredLevelGivesTheBestWindowInOneDomain() {
        compare(5, random -> Topology.within(random.nextBoolean() ? RACK : BLOCK), TopologySearchTest::exhaustive);
    }

    @Test
    void distanceInRuntimeGivesTheBestWindowOfAllSpans() {
        compare(
                5,
                random -> {
                    int rack = Span.ONE + random.nextInt(3) * 100_000;
                    int block = rack + random.nextInt(500_000);
                    List<Span> spans = List.of(
                            new Span(RACK, rack),
                            new Span(BLOCK, block),
                            new Span(null, block + random.nextInt(1_500_000)));
                    return new Topology(spans.subList(random.nextInt(2), 2 + random.nextInt(2)), null);
                },
                TopologySearchTest::exhaustive);
    }

    @Test
    void aPreferredLevelGivesTheNarrowestSpanThatStartsSoonEnough() {
        compare(
                4,
                random -> {
                    List<Span> spans =
                            List.of(new Span(RACK, Span.ONE), new Span(BLOCK, Span.ONE), new Span(null, Span.ONE));
                    long patience = random.nextInt(4) == 0 ? 0 : random.nextLong(120);
                    return new Topology(spans.subList(random.nextInt(2), 2 + random.nextInt(2)), patience);
                },
                TopologySearchTest::narrowest);
    }

    /** Tries everything in any span for the earliest start, then span by span up to the last start that counts. */
    static BruteForce.@Nullable Best narrowest(Cluster cluster, Policy policy, Gang gang) {
        Topology topology = gang.topology();
        BruteForce.Best earliest = exhaustive(cluster, policy, gang.wanting(Criterion.START));
        if (earliest == null) {
            return null;
        }
        long latest = earliest.start() + Objects.requireNonNull(topology.patience());
        for (Span span : topology.spans()) {
            BruteForce.Best best = BruteForce.best(
                    cluster,
                    policy,
                    gang.within(new Topology(List.of(span), null, topology.slices())),
                    RandomClusters.NOW,
                    (start, _) -> start <= latest);
            if (best != null) {
                return best;
            }
        }
        return null;
    }

    @Test
    void ofEquallyGoodDomainsTheFullestIsTaken() {
        List<Node> nodes = IntStream.range(0, 8)
                .mapToObj(i -> node("n" + i, Map.of("block", "a", "rack", i < 4 ? "empty" : "half-full")))
                .toList();
        List<Occupation> load = List.of(occupied("n4"), occupied("n6"));
        Gang gang = GangBuilder.gang("g", 2, 1000, 10).build().within(Topology.within(RACK));
        Snapshot snapshot =
                new Snapshot(RandomClusters.NOW, new Cluster(nodes, load), List.of(new Request(gang, null)), List.of());

        Plan plan = new Planner(policy(100, 0)).plan(snapshot);

        assertThat(plan.windows().getFirst().window().placements())
                .extracting(Placement::node)
                .containsExactly("n5", "n7");
    }

    /** The first gang looks at all nodes, and the second one must not be misled by it. */
    @Test
    void aSearchInSpansLeavesTheFirstStartsOfTheNodesAsTheyAre() {
        List<Node> nodes = IntStream.range(0, 8)
                .mapToObj(i -> node("n" + i, Map.of("block", "a", "rack", Integer.toString(i / 2))))
                .toList();
        List<Occupation> load = IntStream.range(0, 7)
                .mapToObj(i -> occupied("n" + i, RandomClusters.NOW + 70 - 10L * i))
                .toList();
        Gang wide = GangBuilder.gang("wide", 2, 1000, 10)
                .build()
                .within(new Topology(List.of(new Span(RACK, Span.ONE), new Span(null, 1_500_000)), null));
        Gang any = GangBuilder.gang("any", 2, 1000, 10).build();
        Cluster cluster = new Cluster(nodes, load);
        Timeline timeline = new Timeline(cluster, RandomClusters.NOW, 0);
        Eligibility eligibility = new Eligibility(Eligibility.Kind.of(any), timeline, false);
        SlotTerms terms = SlotTerms.of(any, RandomClusters.NOW, RandomClusters.NOW + 500);

        new WindowSearch(wide, eligibility).best(Criterion.START, terms, Cost.UNLIMITED);

        long[] first = Offers.of(eligibility.offers()).firstStarts();
        assertThat(first).isNotNull().isSortedAccordingTo(Comparator.reverseOrder());
    }

    @Test
    void aPromiseIsBrokenIfChangedLabelsPutItsNodesTooFarApart() {
        Topology required = Topology.within(RACK);
        Topology distance = new Topology(List.of(new Span(RACK, Span.ONE), new Span(null, 1_500_000)), null);

        assertThat(brokenByLabels(required)).isEqualTo("its nodes are not in one domain of rack");
        assertThat(brokenByLabels(distance))
                .isEqualTo("its nodes are so far from each other (cluster) that it takes longer");
    }

    private static String brokenByLabels(Topology topology) {
        Gang gang = GangBuilder.gang("g", 2, 1000, 10).build().within(topology);
        Node n0 = node("n0", Map.of("block", "a", "rack", "1"));
        Node n1 = node("n1", Map.of("block", "a", "rack", "1"));
        Node moved = node("n1", Map.of("block", "a", "rack", "2"));
        Planner planner = new Planner(policy(100, 0));
        Window promised = planner.plan(new Snapshot(
                        RandomClusters.NOW,
                        new Cluster(List.of(n0, n1), List.of()),
                        List.of(new Request(gang, null)),
                        List.of()))
                .windows()
                .getFirst()
                .window();

        Plan plan = planner.plan(new Snapshot(
                RandomClusters.NOW,
                new Cluster(List.of(n0, moved), List.of()),
                List.of(new Request(gang, new Promise(promised, WindowOrigin.CYCLIC, false))),
                List.of()));

        return plan.broken().getFirst().reason().message();
    }

    private static Node node(String name, Map<String, String> labels) {
        return new Node(
                name,
                labels,
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 3L)),
                Performance.REFERENCE,
                "",
                StepFunction.constant(0),
                List.of());
    }

    private static Occupation occupied(String node) {
        return occupied(node, Interval.FOREVER);
    }

    private static Occupation occupied(String node, long end) {
        return new Occupation(
                "other/" + node,
                node,
                Resources.of(Map.of(Resources.CPU, 1000L)),
                new Interval(RandomClusters.NOW, end));
    }
}
