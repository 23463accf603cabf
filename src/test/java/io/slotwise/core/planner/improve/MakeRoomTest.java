package io.slotwise.core.planner.improve;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.testing.PlanBuilder.cores;
import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Gangs that get a window because others may move within the slack of their promises. */
class MakeRoomTest {
    private static final long NOW = RandomClusters.NOW;
    private static final int CASES = 600;

    private static Policy slack(long seconds) {
        return policy(100_000, 0).withSlack(new PromiseSlack(0, 0, seconds));
    }

    /** The gang with a promise from second 10 to 110 moves after the one that has to end by then. */
    @Test
    void gangWithADeadlineIsPlacedBeforeOneThatMayStartLater() {
        Gang promised = GangBuilder.gang("promised", 1, 1_000, 100).arrival(NOW).build();
        Gang urgent = urgent(100, 110);

        Plan moves = afterPromising(slack(100), promised, urgent);
        Plan stays = afterPromising(slack(99), promised, urgent);

        assertThat(start(moves, "urgent")).isEqualTo(10);
        assertThat(start(moves, "promised")).isEqualTo(110);
        assertThat(moves.pending()).isEmpty();
        assertThat(start(stays, "promised")).isEqualTo(10);
        assertThat(stays.pending()).extracting(pending -> pending.gang().name()).containsExactly("urgent");
    }

    /** Neither of the two promised gangs alone makes enough room. */
    @Test
    void severalMoveForOneGang() {
        Snapshot first = snapshot(
                List.of(oneCore("n", 0)),
                List.of(runs("n", 0, 10)),
                new Request(GangBuilder.gang("x", 1, 1_000, 40).arrival(NOW).build(), null),
                new Request(GangBuilder.gang("y", 1, 1_000, 50).arrival(NOW).build(), null));
        Policy policy = slack(100);
        Snapshot promised = first.published(new Planner(policy).plan(first));

        Plan plan = plan(policy, with(promised, urgent(70, 110)));

        assertThat(start(plan, "urgent")).isEqualTo(10);
        assertThat(start(plan, "x")).isEqualTo(80);
        assertThat(start(plan, "y")).isEqualTo(120);
    }

    /** The gang is placed also if windows are assigned again to gangs that may start now. */
    @Test
    void gangWithADeadlineIsPlacedUnderTheOrderOfValue() {
        Policy usual = slack(100);
        Policy policy = usual.withBatch(usual.batch().serving(Objective.MAX_VALUE, Limit.NONE))
                .withLeastSaving(2_000_000);

        Plan plan = afterPromising(
                policy, GangBuilder.gang("promised", 1, 1_000, 100).arrival(NOW).build(), urgent(100, 110));

        assertThat(start(plan, "urgent")).isEqualTo(10);
        assertThat(start(plan, "promised")).isEqualTo(110);
    }

    /** Both gangs are new. The urgent one is placed before the other, which has the window that it needs. */
    @Test
    void aNewGangMakesRoomWithinItsFuturePromise() {
        Gang patient = GangBuilder.gang("a", 1, 1_000, 100).arrival(NOW).build();
        Gang urgent = urgent(100, 100);
        List<Node> nodes = List.of(oneCore("n", 0));

        Plan moves =
                plan(slack(100), snapshot(nodes, List.of(), new Request(patient, null), new Request(urgent, null)));
        Plan stays = plan(slack(99), snapshot(nodes, List.of(), new Request(patient, null), new Request(urgent, null)));

        assertThat(start(moves, "urgent")).isZero();
        assertThat(start(stays, "a")).isZero();
    }

    /** Compares with every placement of the gang and of one other gang at every second. */
    @Test
    void gangIsPlacedWheneverOneOtherCanMakeRoom() {
        int placed = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            Policy policy = slack(random.nextLong(30));
            Snapshot promised = randomPromises(policy, random);
            long runtime = 3 + random.nextLong(15);
            Gang newcomer = GangBuilder.gang("urgent", 1 + random.nextInt(2), 1_000, runtime)
                    .arrival(NOW)
                    .deadline(NOW + runtime + random.nextLong(25))
                    .build();
            Snapshot snapshot = with(promised, newcomer);

            Plan plan = plan(policy, snapshot);

            if (new EveryMove(promised, newcomer).makesRoom()) {
                placed++;
                assertThat(plan.pending()).as("seed %d", seed).isEmpty();
            }
        }
        assertThat(placed).isGreaterThan(CASES / 20);
    }

    private static Snapshot randomPromises(Policy policy, RandomGenerator random) {
        List<Node> nodes = new ArrayList<>();
        List<Occupation> runs = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(2); i++) {
            nodes.add(cores("n" + i, 1 + random.nextInt(2), 0));
            if (random.nextBoolean()) {
                long from = random.nextLong(40);
                runs.add(runs("n" + i, from, from + 5 + random.nextLong(20)));
            }
        }
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            requests.add(new Request(
                    GangBuilder.gang("g" + i, 1 + random.nextInt(2), 1_000, 3 + random.nextLong(15))
                            .arrival(NOW)
                            .earliestStart(NOW + random.nextLong(20))
                            .build(),
                    null));
        }
        Snapshot first = snapshot(nodes, runs, requests.toArray(new Request[0]));
        List<Request> promised = first.published(new Planner(policy).plan(first)).requests().stream()
                .filter(request -> request.promise() != null)
                .toList();
        return snapshot(nodes, runs, promised.toArray(new Request[0]));
    }

    /** All placements of a newcomer and one of the promised gangs. */
    private static final class EveryMove {
        private static final int SECONDS = 120;

        private final Snapshot promised;
        private final Gang newcomer;
        private final List<Node> nodes;
        /** The free processors of each node by second. */
        private final int[][] free;

        EveryMove(Snapshot promised, Gang newcomer) {
            this.promised = promised;
            this.newcomer = newcomer;
            this.nodes = promised.cluster().inventory().stream().toList();
            this.free = new int[nodes.size()][SECONDS];
            for (int i = 0; i < nodes.size(); i++) {
                for (int second = 0; second < SECONDS; second++) {
                    free[i][second] = (int) (nodes.get(i).allocatable().get(Resources.CPU) / 1_000);
                }
            }
            promised.cluster().occupations().forEach(run -> take(run.node(), run.interval(), 1));
            promised.requests().forEach(request -> take(window(request), 1));
        }

        private static Window window(Request request) {
            return Objects.requireNonNull(request.promise()).window();
        }

        private void take(Window window, int times) {
            for (Placement placement : window.placements()) {
                take(placement.node(), new Interval(placement.start(), placement.end()), times);
            }
        }

        private void take(String node, Interval interval, int times) {
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i).name().equals(node)) {
                    take(i, interval.start() - NOW, interval.end() - NOW, times);
                }
            }
        }

        private void take(int node, long from, long to, int pods) {
            for (long second = Math.max(0, from); second < Math.min(SECONDS, to); second++) {
                free[node][(int) second] -= pods;
            }
        }

        boolean makesRoom() {
            for (Request other : promised.requests()) {
                take(window(other), -1);
                boolean due = window(other).start() <= NOW;
                boolean room = !due && both(other);
                take(window(other), 1);
                if (room) {
                    return true;
                }
            }
            return false;
        }

        private boolean both(Request other) {
            long last = Objects.requireNonNull(other.promise()).bound().start() - NOW;
            Gang gang = other.gang();
            for (long start = gang.earliestStart() - NOW; start <= last; start++) {
                for (int onFirst = 0; onFirst <= gang.size(); onFirst++) {
                    if (fits(gang, start, onFirst)) {
                        place(gang, start, onFirst, 1);
                        boolean room = newcomerFits();
                        place(gang, start, onFirst, -1);
                        if (room) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        private boolean newcomerFits() {
            for (long start = 0; start + newcomer.runtime() <= newcomer.deadline() - NOW; start++) {
                for (int onFirst = 0; onFirst <= newcomer.size(); onFirst++) {
                    if (fits(newcomer, start, onFirst)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean fits(Gang gang, long start, int onFirst) {
            return hasRoom(0, onFirst, start, gang.runtime())
                    && (onFirst == gang.size() || nodes.size() > 1)
                    && (nodes.size() == 1 || hasRoom(1, gang.size() - onFirst, start, gang.runtime()));
        }

        private boolean hasRoom(int node, int pods, long start, long seconds) {
            for (long second = start; second < Math.min(SECONDS, start + seconds); second++) {
                if (free[node][(int) second] < pods) {
                    return false;
                }
            }
            return true;
        }

        private void place(Gang gang, long start, int onFirst, int times) {
            take(0, start, start + gang.runtime(), times * onFirst);
            if (nodes.size() > 1) {
                take(1, start, start + gang.runtime(), times * (gang.size() - onFirst));
            }
        }
    }

    private static Gang urgent(long runtime, long by) {
        return GangBuilder.gang("urgent", 1, 1_000, runtime)
                .arrival(NOW)
                .deadline(NOW + by)
                .build();
    }

    private static Plan afterPromising(Policy policy, Gang promised, Gang newcomer) {
        Snapshot first = snapshot(List.of(oneCore("n", 0)), List.of(runs("n", 0, 10)), new Request(promised, null));
        return plan(policy, with(first.published(new Planner(policy).plan(first)), newcomer));
    }

    private static Snapshot with(Snapshot promised, Gang newcomer) {
        List<Request> all = new ArrayList<>(promised.requests());
        all.add(new Request(newcomer, null));
        return new Snapshot(NOW, promised.cluster(), all, List.of());
    }

    private static Snapshot snapshot(List<Node> nodes, List<Occupation> runs, Request... requests) {
        return new Snapshot(NOW, new Cluster(nodes, runs), List.of(requests), List.of());
    }

    private static Plan plan(Policy policy, Snapshot snapshot) {
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        assertThat(plan.broken()).isEmpty();
        return plan;
    }

    private static Occupation runs(String node, long from, long until) {
        return new Occupation(
                "other/" + node,
                node,
                Resources.of(Map.of(Resources.CPU, 1000L)),
                new Interval(NOW + from, NOW + until));
    }

    private static long start(Plan plan, String name) {
        return InPlan.planned(plan, name).window().start() - NOW;
    }
}
