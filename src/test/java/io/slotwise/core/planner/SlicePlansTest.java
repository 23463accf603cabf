package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRank;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RunningGangs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans of several gangs in slices: every part of the planner keeps the slices, or refuses the gang. */
class SlicePlansTest {
    private static final long NOW = RandomClusters.NOW;
    private static final TopologyLevel RACK = TopologyLevel.of("rack");
    private static final TopologyLevel HOST = new TopologyLevel(List.of("rack", "host"));
    private static final List<Criterion> CRITERIA = List.of(Criterion.values());
    private static final List<String> BY_LABELS =
            List.of("its slices (", "its nodes are not in one domain of rack", "the distance of its nodes is cluster");
    private static final Topology PAIRS_OF_A_RACK = Topology.ANYWHERE.in(List.of(new Slice(RACK, 2)));

    private static Node labelled(Node node, String rack) {
        Map<String, String> labels = new HashMap<>(node.labels());
        labels.put("rack", rack);
        labels.put("host", node.name());
        return node.withLabels(labels);
    }

    private static Cluster inRacks(Cluster cluster, RandomGenerator random) {
        return new Cluster(
                cluster.inventory().stream()
                        .map(node -> labelled(node, "r" + random.nextInt(2)))
                        .toList(),
                cluster.occupations());
    }

    private static Gang sliced(Gang gang, RandomGenerator random) {
        boolean nested = random.nextBoolean();
        List<String> pods = IntStream.range(0, nested || random.nextBoolean() ? 4 : 2)
                .mapToObj(i -> gang.id().name() + "-" + i)
                .toList();
        return new Gang(gang.id(), pods, gang.request(), gang.demand(), gang.priority(), gang.arrival())
                .within(gang.topology()
                        .in(nested ? List.of(new Slice(HOST, 2), new Slice(RACK, 4)) : List.of(new Slice(RACK, 2))));
    }

    private static Gang near(Gang gang, RandomGenerator random) {
        Span rack = new Span(RACK, Span.ONE);
        return switch (random.nextInt(3)) {
            case 0 -> gang;
            case 1 -> gang.within(Topology.within(RACK));
            default -> gang.within(new Topology(List.of(rack, new Span(null, 2 * Span.ONE)), null));
        };
    }

    private static Policy anyPolicy(RandomGenerator random) {
        Policy policy = policy(RandomClusters.SPAN, random.nextInt(3));
        return policy.withReplan(random.nextBoolean() ? Policy.Replan.IMPROVE : Policy.Replan.NEVER)
                .withBatch(policy.batch().withAlternatives(1 + random.nextInt(4)));
    }

    /** Plans, lets time pass, moves a node to another rack, and plans again with the promises of the first plan. */
    @Test
    void batchesAndPromisesKeepLevelsAlsoWhenLabelsChange() {
        int windows = 0;
        Map<String, Integer> broken = new HashMap<>();
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = anyPolicy(random);
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Gang gang = clusters.gang("g" + i, CRITERIA.get((seed + i) % CRITERIA.size()));
                requests.add(new Request(random.nextInt(3) == 0 ? near(gang, random) : sliced(gang, random), null));
            }
            Snapshot first =
                    new Snapshot(NOW, inRacks(clusters.cluster(4 + random.nextInt(3)), random), requests, List.of());

            Plan plan = new Planner(policy).plan(first);
            Snapshot second = again(first, plan, random.nextInt(3) > 0 ? random : null);
            Plan next = new Planner(policy).plan(second);

            assertThat(PlanChecker.faults(first, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(PlanChecker.faults(second, policy, next))
                    .as("seed %d", seed)
                    .isEmpty();
            windows += (int) plan.windows().stream()
                    .filter(planned -> planned.gang().isSliced())
                    .count();
            next.broken()
                    .forEach(promise -> BY_LABELS.stream()
                            .filter(promise.message()::startsWith)
                            .forEach(words -> broken.merge(words, 1, Integer::sum)));
        }
        assertThat(windows).as("windows in slices").isGreaterThan(300);
        assertThat(broken).as("promises broken by labels").containsOnlyKeys(BY_LABELS);
        assertThat(broken.values()).allMatch(count -> count > 5);
    }

    private static Snapshot again(Snapshot first, Plan plan, @Nullable RandomGenerator random) {
        List<Node> nodes = new ArrayList<>(first.cluster().inventory());
        if (random != null) {
            int i = random.nextInt(nodes.size());
            nodes.set(i, labelled(nodes.get(i), "r2"));
        }
        return new Snapshot(
                NOW,
                new Cluster(nodes, first.cluster().occupations()),
                first.requests().stream()
                        .map(request -> new Request(
                                request.gang(),
                                plan.windows().stream()
                                        .filter(planned -> planned.gang().equals(request.gang()))
                                        .map(planned -> new Promise(planned.window(), planned.origin(), false))
                                        .findFirst()
                                        .orElse(null)))
                        .toList(),
                List.of());
    }

    /** Gangs in slices run on both nodes of a rack, and others wait for a whole node. */
    @Test
    void movesKeepSlices() {
        int moves = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = seeded(seed);
            List<Node> nodes = IntStream.range(0, 6)
                    .mapToObj(i -> node("n" + i, "r" + i / 2, 1 + random.nextInt(2)))
                    .toList();
            List<Running> running = new ArrayList<>();
            List<Occupation> load = new ArrayList<>();
            for (int rack = 0; rack < 3; rack++) {
                if (random.nextInt(3) > 0) {
                    Gang gang = gang("r" + rack, 2, 30 + random.nextInt(60)).within(PAIRS_OF_A_RACK);
                    Running one = RunningGangs.of(
                            gang,
                            nodes.subList(2 * rack, 2 * rack + 2),
                            NOW - 1 - random.nextInt(15),
                            NOW,
                            new EvictionTiming(5, 9));
                    running.add(one);
                    load.addAll(one.room());
                }
            }
            List<Request> requests = IntStream.range(0, 3)
                    .mapToObj(i -> gang("w" + i, 2 + 2 * random.nextInt(2), 20 + random.nextInt(60)))
                    .map(gang -> new Request(gang.within(PAIRS_OF_A_RACK), null))
                    .toList();
            Policy policy = policy(300, 0).withMigration(new MigrationPolicy(Reach.EXTERNAL, 1, 0, 3));
            Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, load), requests, List.of()).withRunning(running);

            Plan plan = new Planner(policy).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            moves += plan.moves().size();
        }
        assertThat(moves).isGreaterThan(10);
    }

    @Test
    void podsOfASliceAreInOrderOfRank() {
        List<Node> nodes = IntStream.range(0, 12)
                .mapToObj(i -> node("n" + i, "r" + i % 3, 1))
                .toList();
        Gang gang = gang("g", 12, 10).within(Topology.ANYWHERE.in(List.of(new Slice(RACK, 4))));

        Window window = plan(nodes, gang).windows().getFirst().window();

        assertThat(window.placements().stream()
                        .sorted(Comparator.comparing(Placement::pod, PodRank.ORDER))
                        .map(placement -> Integer.parseInt(placement.node().substring(1)) % 3))
                .containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2);
    }

    @Test
    void ofEquallyGoodDomainsSlicesTakeTheFullest() {
        List<Node> nodes = IntStream.range(0, 8)
                .mapToObj(i -> node("n" + i, i < 5 ? "empty" : "full", 1))
                .toList();
        Gang gang = gang("g", 2, 10).within(PAIRS_OF_A_RACK);

        Window window = plan(nodes, gang).windows().getFirst().window();

        assertThat(window.placements()).extracting(Placement::node).containsExactly("n5", "n6");
    }

    @Test
    void aGangWhoseSlicesAreTooLargeIsTold() {
        List<Node> nodes = IntStream.range(0, 6)
                .mapToObj(i -> node("n" + i, "r" + i / 3, 1))
                .toList();
        Gang gang = gang("g", 6, 10).within(PAIRS_OF_A_RACK);

        assertThat(refusal(plan(nodes, gang)))
                .isEqualTo("too large for the cluster: 6 pods, the eligible nodes take 4 when they are empty in slices "
                        + "of rack/2");
    }

    @Test
    void slicesOfPodsThatDifferAreRefused() {
        List<Node> nodes =
                IntStream.range(0, 6).mapToObj(i -> node("n" + i, "r", 2)).toList();
        Gang small = gang("g", 2, 10);
        Gang mixed = new Gang(
                        small.id(),
                        List.of(
                                small.shapes().getFirst(),
                                new Gang.Shape(
                                        List.of("h-0", "h-1"),
                                        GangBuilder.gang("h", 2, 500, 10)
                                                .build()
                                                .request())),
                        small.demand(),
                        0,
                        NOW,
                        small.placementRequest())
                .within(PAIRS_OF_A_RACK);

        assertThat(refusal(plan(nodes, mixed)))
                .isEqualTo("its topology slices (rack/2) are of pods that differ, which Slotwise does not plan");
    }

    private static String refusal(Plan plan) {
        return plan.pending().stream()
                .map(Pending::refusal)
                .map(refusal -> refusal.message())
                .findFirst()
                .orElseThrow();
    }

    private static Plan plan(List<Node> nodes, Gang gang) {
        return new Planner(policy(100, 0))
                .plan(new Snapshot(NOW, new Cluster(nodes, List.of()), List.of(new Request(gang, null)), List.of()));
    }

    private static Gang gang(String name, int pods, long runtime) {
        return GangBuilder.gang(name, pods, 1000, runtime).build();
    }

    private static Node node(String name, String rack, long speed) {
        return new Node(
                name,
                Map.of("rack", rack, "host", name),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 9L)),
                new Performance(speed * 1_000_000),
                "",
                StepFunction.constant(0),
                List.of());
    }
}
