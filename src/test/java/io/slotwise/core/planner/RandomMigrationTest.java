package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RunningGangs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Moves in random clusters with running gangs. Proves the rules of moves, and that moves are found. */
class RandomMigrationTest {
    private static final long NOW = RandomClusters.NOW;
    private static final long HORIZON = 300;
    private static final long STOP = 5;
    private static final long BACK = 9;

    record Case(Policy policy, Snapshot snapshot) {
        Plan plan() {
            return new Planner(policy).plan(snapshot);
        }

        Plan planWithoutMoves() {
            return new Planner(policy.withMigration(MigrationPolicy.NONE)).plan(snapshot);
        }
    }

    private static Node node(RandomGenerator random, int i) {
        return new Node(
                "n" + i,
                Map.of("topology.kubernetes.io/zone", "z" + i % 2),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, (1 + random.nextLong(3)) * 1000, Resources.PODS, 9L)),
                new Performance((1 + random.nextLong(3)) * 500_000),
                "o",
                StepFunction.startingAt((1 + random.nextLong(5)) * 1_000_000)
                        .then(NOW + random.nextLong(60), (1 + random.nextLong(5)) * 1_000_000)
                        .build(),
                List.of());
    }

    private static Gang gang(RandomGenerator random, String name, int pods, long cpu) {
        long runtime = 20 + random.nextLong(60);
        return GangBuilder.gang(name, pods, cpu, runtime)
                .nodeIndependent(random.nextInt(4) == 0)
                .budget(random.nextBoolean() ? Budget.UNLIMITED : new Budget(new Money(pods * runtime * 1500), null))
                .criterion(random.nextBoolean() ? Criterion.START : Criterion.COST)
                .deadline(random.nextInt(4) == 0 ? NOW + 60 + random.nextInt(200) : Interval.FOREVER)
                .lockstep(random.nextInt(5) == 0)
                .priority(random.nextInt(3))
                .arrival(NOW - random.nextInt(50))
                .build();
    }

    /** Gangs that run wherever there is room, each for some time, and gangs that wait. */
    static Case random(int seed) {
        RandomGenerator random = seeded(seed);
        List<Node> nodes = IntStream.range(0, 4).mapToObj(i -> node(random, i)).toList();
        List<Long> left = new ArrayList<>();
        nodes.forEach(node -> left.add(node.allocatable().get(Resources.CPU)));
        List<Running> running = new ArrayList<>();
        List<Occupation> load = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Gang gang = gang(random, "r" + i, 1 + random.nextInt(2), 1000);
            List<Node> where = new ArrayList<>();
            for (int n = 0; n < nodes.size() && where.size() < gang.size(); n++) {
                if (left.get(n) >= 1000) {
                    left.set(n, left.get(n) - 1000);
                    where.add(nodes.get(n));
                }
            }
            if (where.size() == gang.size()) {
                Running one =
                        RunningGangs.of(gang, where, NOW - 1 - random.nextInt(15), NOW, new EvictionTiming(STOP, BACK));
                load.addAll(one.room());
                running.add(one);
            }
        }
        List<Request> requests = IntStream.range(0, 4)
                .mapToObj(i -> new Request(
                        gang(random, "w" + i, 1 + random.nextInt(2), 1000 * (1 + random.nextLong(3))), null))
                .toList();
        MigrationPolicy rules = new MigrationPolicy(
                random.nextBoolean() ? Reach.LOCAL : Reach.EXTERNAL, 1, random.nextInt(8), random.nextInt(10));
        return new Case(
                policy(HORIZON, random.nextInt(3)).withMigration(rules),
                new Snapshot(NOW, new Cluster(nodes, load), requests, List.of()).withRunning(running));
    }

    private static Map<GangId, Window> windows(Plan plan) {
        Map<GangId, Window> windows = new HashMap<>();
        plan.windows().forEach(planned -> windows.put(planned.gang().id(), planned.window()));
        return windows;
    }

    @Test
    void everyMoveKeepsTheRulesAndNoOtherGangIsWorseOff() {
        int[] purposes = new int[2];
        for (int seed = 0; seed < 600; seed++) {
            Case one = random(seed);
            Plan plan = one.plan();
            assertThat(PlanChecker.faults(one.snapshot(), one.policy(), plan))
                    .as("seed %d", seed)
                    .isEmpty();
            Map<GangId, Window> after = windows(plan);
            Map<GangId, Window> before = windows(one.planWithoutMoves());
            before.forEach((gang, window) -> assertThat(after.get(gang))
                    .satisfies(now -> assertThat(now.start()).isLessThanOrEqualTo(window.start())));
            for (Move move : plan.moves()) {
                switch (move.purpose()) {
                    case Move.Start(GangId gang, long gained, long _) -> {
                        purposes[0]++;
                        assertThat(gained).as("seed %d", seed).isEqualTo(gain(before.get(gang), after.get(gang)));
                    }
                    case Move.Interruption _, Move.Reclaim _ ->
                        Assertions.fail("seed %d: a gang is displaced (%s)", seed, move.purpose());
                    case Move.Saving _ -> purposes[1]++;
                }
            }
        }
        assertThat(IntStream.of(purposes)).allMatch(count -> count >= 20);
    }

    private static long gain(@Nullable Window before, @Nullable Window after) {
        assertThat(after).isNotNull();
        long start = before == null ? NOW + HORIZON : before.start();
        return after == null ? 0 : (start - after.start()) * after.placements().size();
    }

    @Test
    void aPlanDoesNotDependOnTheOrderOfItsInput() {
        for (int seed = 0; seed < 200; seed++) {
            Case one = random(seed);
            assertThat(new Planner(one.policy()).plan(RunningGangs.turned(one.snapshot())))
                    .as("seed %d", seed)
                    .isEqualTo(one.plan());
        }
    }

    /** The best windows of the waiting gang and each running one are found second by second. */
    @Test
    void theMoveThatStartsTheGangThatWaitsAtTheLeastLossIsFound() {
        int found = 0;
        for (int seed = 0; seed < 600; seed++) {
            RandomGenerator random = seeded(seed);
            Case one = tiny(random);
            Gang waiting = one.snapshot().requests().getFirst().gang();
            Window before = windows(one.planWithoutMoves()).get(waiting.id());
            Optional<Swap> best = one.snapshot().running().stream()
                    .filter(running -> running.gang().priority() <= waiting.priority())
                    .flatMap(running -> swap(one, waiting, before, running).stream())
                    .filter(Swap::gains)
                    .min(Comparator.comparingLong(Swap::lost)
                            .thenComparing(swap -> swap.moved().id()));

            List<Move> moves = one.plan().moves();

            assertThat(moves.stream().map(Move::purpose).toList())
                    .as("seed %d", seed)
                    .isEqualTo(best.map(swap -> swap.purpose(waiting)).stream().toList());
            assertThat(moves.stream().map(move -> move.gang().id()).toList())
                    .as("seed %d", seed)
                    .isEqualTo(best.map(swap -> swap.moved().id()).stream().toList());
            found += best.isPresent() ? 1 : 0;
        }
        assertThat(found).isGreaterThan(30);
    }

    /** A running gang makes way: the pod-seconds that the waiting gang gains, and those that the moved gang loses. */
    private record Swap(Gang moved, long gained, long lost) {
        boolean gains() {
            return gained > lost;
        }

        Move.Purpose purpose(Gang waiting) {
            return new Move.Start(waiting.id(), gained, lost);
        }
    }

    private static Case tiny(RandomGenerator random) {
        List<Node> nodes = IntStream.range(0, 3)
                .mapToObj(i -> new Node(
                        "n" + i,
                        Map.of(),
                        List.of(),
                        true,
                        Resources.of(Map.of(Resources.CPU, (1 + random.nextLong(3)) * 1000, Resources.PODS, 9L)),
                        Performance.REFERENCE,
                        "o",
                        StepFunction.constant(0),
                        List.of()))
                .toList();
        List<Running> running = new ArrayList<>();
        List<Occupation> load = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            int pods = 1 + random.nextInt((int) (nodes.get(i).allocatable().get(Resources.CPU) / 1000));
            Gang gang = plain("r" + i, pods, 1000, 30 + random.nextLong(100), random.nextInt(3));
            Running one = RunningGangs.of(
                    gang,
                    Collections.nCopies(gang.size(), nodes.get(i)),
                    NOW - random.nextInt(20),
                    NOW,
                    new EvictionTiming(STOP, BACK));
            running.add(one);
            load.addAll(one.room());
        }
        Gang waiting = plain(
                "w",
                1 + random.nextInt(2),
                1000 * (1 + random.nextLong(3)),
                10 + random.nextLong(60),
                random.nextInt(3));
        return new Case(
                policy(HORIZON, 0).withMigration(new MigrationPolicy(Reach.EXTERNAL, 1, 0, 3)),
                new Snapshot(NOW, new Cluster(nodes, load), List.of(new Request(waiting, null)), List.of())
                        .withRunning(running));
    }

    private static Gang plain(String name, int pods, long cpu, long runtime, int priority) {
        return GangBuilder.gang(name, pods, cpu, runtime)
                .nodeIndependent()
                .priority(priority)
                .arrival(NOW)
                .build();
    }

    /**
     * The windows of both gangs if {@code moved} makes way. Pods are on the nodes that the window search chooses: the
     * first by name, since all cost the same. Empty if {@code waiting} starts no sooner or the rest of {@code moved}
     * has no window.
     */
    private static Optional<Swap> swap(Case one, Gang waiting, @Nullable Window before, Running moved) {
        long[][] free = free(one.snapshot(), moved);
        for (int at = 0; at <= STOP && (before == null || NOW + at < before.start()); at++) {
            long[][] left = place(free, waiting, at).orElse(null);
            if (left != null) {
                long gained = ((before == null ? HORIZON : before.start() - NOW) - at) * waiting.size();
                long work = moved.gang().runtime() - moved.progress().elapsed() + 3;
                Gang rest = moved.gang().lasting(work);
                return IntStream.range((int) BACK, (int) (HORIZON - work + 1))
                        .filter(second -> place(left, rest, second).isPresent())
                        .boxed()
                        .findFirst()
                        .map(start -> Math.max(start + work - (moved.progress().end() - NOW), 3) * rest.size())
                        .map(lost -> new Swap(moved.gang(), gained, lost));
            }
        }
        return Optional.empty();
    }

    private static long[][] free(Snapshot snapshot, Running moved) {
        long[][] free = new long[3][(int) HORIZON];
        for (int n = 0; n < 3; n++) {
            Node node = snapshot.cluster().inventory().get(n);
            for (int t = 0; t < HORIZON; t++) {
                free[n][t] = node.allocatable().get(Resources.CPU);
                for (Occupation held : snapshot.cluster().occupations()) {
                    boolean leaves = moved.room().contains(held) && t >= STOP;
                    if (held.node().equals(node.name()) && held.interval().end() > NOW + t && !leaves) {
                        free[n][t] -= held.resources().get(Resources.CPU);
                    }
                }
            }
        }
        return free;
    }

    /** The rest after a gang has taken the first nodes with room from second {@code at} on. */
    private static Optional<long[][]> place(long[][] free, Gang gang, int at) {
        long[][] left = new long[][] {free[0].clone(), free[1].clone(), free[2].clone()};
        long cpu = gang.request().resources().get(Resources.CPU);
        long end = at + gang.runtime();
        int placed = 0;
        for (int n = 0; n < 3 && end <= HORIZON; n++) {
            while (placed < gang.size() && fits(left[n], at, end, cpu)) {
                for (int t = at; t < end; t++) {
                    left[n][t] -= cpu;
                }
                placed++;
            }
        }
        return placed == gang.size() ? Optional.of(left) : Optional.empty();
    }

    private static boolean fits(long[] free, int from, long to, long cpu) {
        for (int t = from; t < to; t++) {
            if (free[t] < cpu) {
                return false;
            }
        }
        return true;
    }
}
