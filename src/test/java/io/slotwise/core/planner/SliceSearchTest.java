package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.TopologySearchTest.Expectation;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SliceSearchTest {
    private static final int CASES = 1000;
    private static final List<Criterion> CRITERIA = List.copyOf(EnumSet.allOf(Criterion.class));

    private static final TopologyLevel BLOCK = TopologyLevel.of("block");
    private static final TopologyLevel RACK = new TopologyLevel(List.of("block", "rack"));
    private static final TopologyLevel HOST = new TopologyLevel(List.of("block", "rack", "host"));

    /** A rack has the same name in each block, and some nodes have no rack. */
    private static Cluster inRacks(Cluster cluster, RandomGenerator random) {
        List<Node> nodes = cluster.inventory().stream()
                .map(node -> {
                    Map<String, String> labels = new HashMap<>(node.labels());
                    labels.put("block", random.nextBoolean() ? "a" : "b");
                    labels.put("host", node.name());
                    if (random.nextInt(8) > 0) {
                        labels.put("rack", random.nextBoolean() ? "1" : "2");
                    }
                    return node.withLabels(labels);
                })
                .toList();
        return new Cluster(nodes, cluster.occupations());
    }

    private static List<Slice> slices(RandomGenerator random) {
        return switch (random.nextInt(5)) {
            case 0 -> List.of(new Slice(HOST, 2));
            case 1 -> List.of(new Slice(HOST, 2), new Slice(RACK, 4));
            case 2 -> List.of(new Slice(RACK, 2), new Slice(BLOCK, 4));
            case 3 -> List.of(new Slice(RACK, 3));
            default -> List.of(new Slice(RACK, 2));
        };
    }

    /** A gang of one or two of its widest slices, at most four pods. */
    private static Gang sliced(Gang gang, Topology topology, RandomGenerator random) {
        int slice = topology.slices().getLast().size();
        int size = slice * (slice == 2 ? 1 + random.nextInt(2) : 1);
        return new Gang(
                        gang.id(),
                        IntStream.range(0, size).mapToObj(i -> "g-" + i).toList(),
                        gang.request(),
                        gang.demand(),
                        gang.priority(),
                        gang.arrival())
                .within(topology);
    }

    private static void compare(Function<RandomGenerator, Topology> topologies, Expectation expectation) {
        int found = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = inRacks(clusters.cluster(2 + random.nextInt(4)), random);
            Criterion criterion = CRITERIA.get(seed % CRITERIA.size());
            Gang gang = sliced(clusters.gang("g", criterion), topologies.apply(random), random);
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

    private static BruteForce.@Nullable Best found(Plan plan) {
        return plan.windows().stream()
                .map(planned -> new BruteForce.Best(
                        planned.window().value(planned.gang()),
                        planned.window().start(),
                        planned.window().cost().microSecondsPerHour()))
                .findFirst()
                .orElse(null);
    }

    @Test
    void slicesGiveTheBestWindowOfAllPlacementsThatKeepThem() {
        compare(random -> Topology.ANYWHERE.in(slices(random)), TopologySearchTest::exhaustive);
    }

    @Test
    void slicesWithinARequiredLevelGiveTheBestWindowInOneDomain() {
        compare(
                random -> Topology.within(random.nextInt(3) == 0 ? RACK : BLOCK).in(slices(random)),
                TopologySearchTest::exhaustive);
    }

    @Test
    void slicesWithAPreferredLevelAreInTheNarrowestSpanThatIsSoonEnough() {
        compare(random -> TopologySearchTest.preferred(random).in(slices(random)), TopologySearchTest::narrowest);
    }

    @Test
    void slicesWithDistanceInRuntimeGiveTheBestWindowOfAllSpans() {
        compare(random -> TopologySearchTest.distant(random).in(slices(random)), TopologySearchTest::exhaustive);
    }
}
