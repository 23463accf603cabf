package io.slotwise.core.planner.chains;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.Occupations;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random chains on small clusters, compared with trying everything. */
class ChainSearchTest {
    private static final long NOW = RandomClusters.NOW;
    private static final int CASES = 500;
    private static final List<Criterion> CRITERIA = List.of(Criterion.values());
    private static final List<Policy.Replan> REPLANS = List.of(Policy.Replan.values());

    /** Every start and every placement of each gang of a chain, one after another. */
    private static final class Exhaustive {
        private final List<Node> nodes;
        private final List<Gang> chain;
        private final int seconds;
        /** The free cores by node and second. */
        private final int[][] left;

        private int best;

        Exhaustive(Cluster cluster, List<Gang> chain, int seconds) {
            this.nodes = List.copyOf(cluster.inventory());
            this.chain = chain;
            this.seconds = seconds;
            this.best = Integer.MAX_VALUE;
            this.left = new int[nodes.size()][seconds];
            for (int n = 0; n < nodes.size(); n++) {
                String name = nodes.get(n).name();
                for (int t = 0; t < seconds; t++) {
                    long second = NOW + t;
                    left[n][t] = (int) (nodes.get(n).allocatable().get(Resources.CPU) / 1000)
                            - (int) cluster.occupations().stream()
                                    .filter(held -> held.node().equals(name)
                                            && held.interval().start() <= second
                                            && second < held.interval().end())
                                    .count();
                }
            }
        }

        /** The earliest end of the last gang, or the largest number if there is none. */
        int leastEnd() {
            chain(0, 0);
            return best;
        }

        private void chain(int gang, int ready) {
            if (gang == chain.size()) {
                best = Math.min(best, ready);
                return;
            }
            for (int start = ready; start < Math.min(seconds, best); start++) {
                place(gang, chain.get(gang).size(), 0, start, start);
            }
        }

        private void place(int gang, int pods, int node, int start, int end) {
            if (pods == 0) {
                chain(gang + 1, end);
                return;
            }
            if (node == nodes.size()) {
                return;
            }
            long speed = nodes.get(node).performance().millionths();
            long runtime = chain.get(gang).runtime();
            int until = start + (int) Math.ceilDiv(runtime * 1_000_000, speed);
            for (int here = 0; here <= pods; here++) {
                if (here == 0 || (until <= seconds && least(node, start, until) >= here)) {
                    place(gang, pods - here, node + 1, start, here == 0 ? end : Math.max(end, until));
                }
            }
        }

        private int least(int node, int from, int to) {
            return IntStream.range(from, to).map(t -> left[node][t]).min().orElse(0);
        }
    }

    private static Node node(String name, RandomGenerator random) {
        long[] speeds = {500_000, 1_000_000, 2_000_000};
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L * (1 + random.nextInt(2)), Resources.PODS, 9L)),
                new Performance(speeds[random.nextInt(speeds.length)]),
                "o",
                StepFunction.constant(1_000_000),
                List.of());
    }

    @Test
    void aChainEndsAsEarlyAsTryingEverythingFinds() {
        int planned = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            int seconds = 16 + random.nextInt(8);
            List<Node> nodes = IntStream.rangeClosed(1, 2 + random.nextInt(2))
                    .mapToObj(i -> node("n" + i, random))
                    .toList();
            List<Occupation> load = new ArrayList<>();
            for (Node node : nodes) {
                for (long core = node.allocatable().get(Resources.CPU); core > 0; core -= 1000) {
                    if (random.nextInt(3) > 0) {
                        long from = NOW + random.nextInt(8);
                        load.add(new Occupation(
                                "other/p" + load.size(),
                                node.name(),
                                Resources.of(Map.of(Resources.CPU, 1000L)),
                                new Interval(from, from + 1 + random.nextInt(8))));
                    }
                }
            }
            List<Gang> chain = new ArrayList<>();
            for (int i = 0; i < 2 + random.nextInt(3); i++) {
                Gang gang = GangBuilder.gang("g" + i, 1 + random.nextInt(2), 1000, 1 + random.nextInt(5))
                        .criterion(Criterion.FINISH)
                        // Some successors arrived before their predecessors.
                        .arrival(NOW - random.nextInt(3))
                        .build();
                chain.add(behindTheLast(chain, gang));
            }
            Snapshot snapshot = new Snapshot(
                    NOW,
                    new Cluster(nodes, load),
                    chain.stream().map(gang -> new Request(gang, null)).toList(),
                    List.of());
            Policy policy = policy(seconds, 0);

            Plan plan = new Planner(policy).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            int least = new Exhaustive(snapshot.cluster(), chain, seconds).leastEnd();
            Window last = windows(plan).get(chain.getLast().id());
            assertThat(last == null ? Integer.MAX_VALUE : (int) (last.end() - NOW))
                    .as("seed %d", seed)
                    .isEqualTo(least);
            planned += last == null ? 0 : 1;
        }
        assertThat(planned).isBetween(CASES / 2, CASES - 1);
    }

    private static Map<GangId, Window> windows(Plan plan) {
        Map<GangId, Window> windows = new HashMap<>();
        plan.windows().forEach(planned -> windows.put(planned.gang().id(), planned.window()));
        return windows;
    }

    /** Gangs with every limit, each after some of the gangs before. */
    private static List<Gang> graph(RandomClusters clusters, RandomGenerator random, int gangs) {
        List<Gang> all = new ArrayList<>();
        for (int i = 0; i < gangs; i++) {
            Gang gang = clusters.gang("g" + i, CRITERIA.get(random.nextInt(CRITERIA.size())));
            List<GangId> before = new ArrayList<>();
            for (Gang other : all) {
                if (random.nextInt(4) == 0) {
                    before.add(other.id());
                }
            }
            all.add(gang.after(new Predecessors(before, random.nextInt(3) * 100L, Map.of())));
        }
        return all;
    }

    @Test
    void eachGangOfAChainGetsTheBestWindowThatThereIsAfterTheOthers() {
        int found = 0;
        for (int seed = 0; seed < CASES / 5; seed++) {
            RandomGenerator random = seeded(1000 + seed);
            RandomClusters clusters = new RandomClusters(random);
            List<Gang> chain = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Gang gang = clusters.gang("g" + i, CRITERIA.get(random.nextInt(CRITERIA.size())));
                chain.add(behindTheLast(chain, gang));
            }
            Snapshot snapshot = new Snapshot(
                    NOW,
                    clusters.cluster(3),
                    chain.stream().map(gang -> new Request(gang, null)).toList(),
                    List.of());
            Policy policy = policy(240, 0);

            Plan plan = new Planner(policy).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            Map<GangId, Window> windows = windows(plan);
            List<Occupation> load = new ArrayList<>(snapshot.cluster().occupations());
            long ready = NOW;
            for (Gang gang : chain) {
                Window window = windows.get(gang.id());
                if (ready < 0) {
                    assertThat(window).isNull();
                    continue;
                }
                Gang alone =
                        gang.startingFrom(Math.max(gang.earliestStart(), ready)).after(Predecessors.NONE);
                BruteForce.@Nullable Best best =
                        BruteForce.best(new Cluster(snapshot.cluster().inventory(), load), policy, alone, NOW);
                assertThat(window == null ? null : window.value(gang))
                        .as("seed %d, %s", seed, gang.id())
                        .isEqualTo(best == null ? null : Long.valueOf(best.value()));
                ready = window == null ? -1 : window.end();
                if (window != null) {
                    load.addAll(Occupations.in(window, gang, "user"));
                    found++;
                }
            }
        }
        assertThat(found).isGreaterThan(CASES / 10);
    }

    private static Gang behindTheLast(List<Gang> chain, Gang gang) {
        return chain.isEmpty()
                ? gang
                : gang.after(new Predecessors(List.of(chain.getLast().id()), 0, Map.of()));
    }

    private static Policy anyPolicy(RandomGenerator random) {
        Policy policy = policy(180, random.nextInt(3) == 0 ? random.nextInt(4) : 0)
                .withReplan(REPLANS.get(random.nextInt(REPLANS.size())))
                .withBackfill(random.nextInt(3) == 0 ? Backfill.EASY : Backfill.CONSERVATIVE)
                .withPreemption(random.nextInt(3) == 0 ? Policy.Preempting.RUNNING : Policy.Preempting.NONE);
        return policy.replan() == Policy.Replan.IMPROVE && random.nextInt(2) == 0
                ? policy.withSlack(new PromiseSlack(200_000, 100_000, 5))
                : policy;
    }

    /** Whatever happens between two cycles, no gang starts before the ends of its predecessors. */
    @Test
    void everyPlanOfAStreamHoldsAllChainsAndMovesNoPromiseWithoutACause() {
        int moved = 0;
        int kept = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(5000 + seed);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = anyPolicy(random);
            List<Gang> gangs = graph(clusters, random, 8);
            Snapshot first = new Snapshot(
                    NOW,
                    clusters.cluster(3 + random.nextInt(2)),
                    gangs.stream().map(gang -> new Request(gang, null)).toList(),
                    List.of());
            Planner planner = new Planner(policy);
            Plan before = planner.plan(first);
            assertThat(PlanChecker.faults(first, policy, before))
                    .as("seed %d", seed)
                    .isEmpty();
            long now = NOW + random.nextInt(20);
            List<Occupation> load = new ArrayList<>(first.cluster().occupations());
            Map<GangId, Long> ends = new HashMap<>();
            List<Request> waiting = new ArrayList<>();
            for (Request request : first.published(before).requests()) {
                Window window = windows(before).get(request.gang().id());
                if (window == null || window.start() >= now) {
                    waiting.add(request);
                    continue;
                }
                // The gang ends in time or late, or has failed at once.
                long end = Math.max(window.end() + random.nextInt(3) * 10L - 10, window.start() + 1);
                ends.put(request.gang().id(), end);
                for (Occupation occupation : Occupations.in(window, request.gang(), "user")) {
                    if (end > now) {
                        load.add(new Occupation(
                                occupation.holder(),
                                occupation.node(),
                                occupation.resources(),
                                new Interval(occupation.interval().start(), Math.max(end, now + 1)),
                                end > window.end()));
                    }
                }
            }
            Snapshot after = new Snapshot(now, new Cluster(first.cluster().inventory(), load), waiting, List.of())
                    .ending(new GangEnds(ends, Map.of()));

            Plan plan = planner.plan(after);

            assertThat(PlanChecker.faults(after, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            moved += (int) plan.broken().stream()
                    .filter(broken -> broken.cause() == Cause.CHAIN)
                    .count();
            kept += (int) plan.windows().stream().filter(Planned::kept).count();
            assertThat(plan.broken().stream().map(BrokenPromise::gang)).doesNotHaveDuplicates();
        }
        assertThat(moved).isGreaterThan(CASES / 30);
        assertThat(kept).isGreaterThan(CASES / 2);
    }
}
