package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

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
        compare(5, TopologySearchTest::distant, TopologySearchTest::exhaustive);
    }

    @Test
    void aPreferredLevelGivesTheNarrowestSpanThatStartsSoonEnough() {
        compare(4, TopologySearchTest::preferred, TopologySearchTest::narrowest);
    }

    /** Returns one to three levels of which the narrowest is preferred, with some patience. */
    static Topology preferred(RandomGenerator random) {
        List<Span> spans = List.of(new Span(RACK, Span.ONE), new Span(BLOCK, Span.ONE), new Span(null, Span.ONE));
        long patience = random.nextInt(4) == 0 ? 0 : random.nextLong(120);
        return new Topology(spans.subList(random.nextInt(2), 2 + random.nextInt(2)), patience);
    }

    /** Returns one to three levels with costs of distance. */
    static Topology distant(RandomGenerator random) {
        int rack = Span.ONE + random.nextInt(3) * 100_000;
        int block = rack + random.nextInt(500_000);
        List<Span> spans = List.of(
                new Span(RACK, rack), new Span(BLOCK, block), new Span(null, block + random.nextInt(1_500_000)));
        return new Topology(spans.subList(random.nextInt(2), 2 + random.nextInt(2)), null);
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
        Gang required = gang(2, Topology.within(RACK));
        Gang distance = gang(2, new Topology(List.of(new Span(RACK, Span.ONE), new Span(null, 1_500_000)), null));
        Map<String, String> otherRack = Map.of("block", "a", "rack", "2");

        assertThat(broken(required, required, otherRack)).containsExactly("its nodes are not in one domain of rack");
        assertThat(broken(required, required, Map.of("block", "b", "rack", "1")))
                .containsExactly("its nodes are not in one domain of rack");
        assertThat(broken(distance, distance, otherRack))
                .containsExactly("the distance of its nodes is cluster, where its runtime is longer than its window");
    }

    @Test
    void aPromiseOfAPodThatJoinsAGangIsBrokenInAnotherDomain() {
        Gang joining = gang(1, Topology.within(RACK).joining(List.of(node("n1", Map.of("block", "a", "rack", "1")))));

        assertThat(broken(joining, joining, Map.of("block", "a", "rack", "2")))
                .containsExactly("its nodes are not in one domain of rack");
        assertThat(broken(joining, joining, Map.of("block", "a", "rack", "1"))).isEmpty();
    }

    @Test
    void aWiderLevelThatNodesLackBreaksNoPromise() {
        TopologyLevel wider = new TopologyLevel(List.of("hall", "block", "rack"));
        List<Span> spans = List.of(new Span(wider, Span.ONE), new Span(null, 1_500_000));
        Map<String, String> same = Map.of("block", "a", "rack", "1");

        assertThat(broken(gang(2, Topology.within(RACK)), gang(2, Topology.within(wider)), same))
                .isEmpty();
        assertThat(broken(gang(2, Topology.within(RACK)), gang(2, new Topology(spans, null)), same))
                .isEmpty();
    }

    @Test
    void aTopologyKeepsAllItsSpansWhenAPodJoins() {
        Topology topology = new Topology(
                List.of(new Span(RACK, Span.ONE), new Span(BLOCK, 1_150_000), new Span(null, 1_600_000)), null);
        Node n1 = node("n1", Map.of("block", "a", "rack", "1"));
        Node n2 = node("n2", Map.of("block", "a", "rack", "2"));

        Topology joining = topology.joining(List.of(n1, n2));

        assertThat(joining.spans())
                .extracting(Span::name, Span::factor)
                .isEqualTo(topology.spans().stream()
                        .map(span -> tuple(span.name(), span.factor()))
                        .toList());
        assertThat(joining.spanOf(List.of(n1))).isEqualTo(new Span(BLOCK.in("a"), 1_150_000));
        assertThat(joining.spanOf(List.of(node("n3", Map.of("block", "b", "rack", "1")))))
                .isEqualTo(new Span(null, 1_600_000));
    }

    private static Gang gang(int size, Topology topology) {
        return GangBuilder.gang("g", size, 1000, 10).build().within(topology);
    }

    /** Returns why a promise in a rack is broken if the gang is read differently and n1 has other labels. */
    private static List<String> broken(Gang promisedGang, Gang gang, Map<String, String> labels) {
        Map<String, String> rack = Map.of("block", "a", "rack", "1");
        List<Node> nodes = List.of(node("n1", rack), node("n2", rack));
        Planner planner = new Planner(policy(100, 0));
        Window promised = planner.plan(new Snapshot(
                        RandomClusters.NOW,
                        new Cluster(nodes, List.of()),
                        List.of(new Request(promisedGang, null)),
                        List.of()))
                .windows()
                .getFirst()
                .window();

        Plan plan = planner.plan(new Snapshot(
                RandomClusters.NOW,
                new Cluster(List.of(node("n1", labels), nodes.getLast()), List.of()),
                List.of(new Request(gang, new Promise(promised, WindowOrigin.CYCLIC, false))),
                List.of()));

        return plan.broken().stream().map(promise -> promise.reason().message()).toList();
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
