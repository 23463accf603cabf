package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.DisruptionLimit;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RunningGangs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A gang waits on three nodes full of others that run or have promises, second by second. The best set to displace is
 * found by trying all sets.
 */
class RandomPreemptionTest {
    static final long NOW = RandomClusters.NOW;
    static final int HORIZON = 200;
    static final int STOP = 5;
    static final long MIN_RUN = 5;
    private static final long OVERHEAD = 7;

    /** A gang whose room the waiting gang may take. */
    record Other(
            Gang gang,
            Map<Integer, Integer> pods,
            int from,
            int to,
            @Nullable Running running) {
        /** The loss of its displacement: gangs that begin from scratch, spent money, pod-seconds, promises, pods. */
        long[] loss(List<Node> nodes) {
            if (running == null) {
                return new long[] {0, 0, 0, 1, gang.size()};
            }
            long elapsed = running.progress().elapsed();
            if (running.keepsWork()) {
                return new long[] {0, 0, OVERHEAD * gang.size(), 0, gang.size()};
            }
            long spent = 0;
            for (Map.Entry<Integer, Integer> here : pods.entrySet()) {
                spent += here.getValue() * elapsed * perCore(nodes.get(here.getKey()));
            }
            return new long[] {1, spent, elapsed * gang.size(), 0, gang.size()};
        }
    }

    private static long perCore(Node node) {
        return node.price().value(0) * 1000 / node.allocatable().get(Resources.CPU);
    }

    record Case(Policy policy, Snapshot snapshot, Gang waiting, List<Other> others) {
        Plan plan() {
            return new Planner(policy).plan(snapshot);
        }
    }

    static Case random(int seed) {
        RandomGenerator random = seeded(seed);
        List<Node> nodes = IntStream.range(0, 3).mapToObj(i -> node(random, i)).toList();
        long[][] free = new long[3][2 * HORIZON];
        for (int n = 0; n < 3; n++) {
            Arrays.fill(free[n], nodes.get(n).allocatable().get(Resources.CPU) / 1000);
        }
        List<Other> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Gang gang = gang("r" + i, 1 + random.nextInt(2), 40 + random.nextLong(80), random.nextInt(3));
            int elapsed = random.nextInt(25);
            place(free, gang, 0, (int) gang.runtime() - elapsed)
                    .ifPresent(pods -> others.add(running(random, nodes, gang, pods, elapsed)));
        }
        for (int i = 0; i < 4; i++) {
            Gang gang = gang("p" + i, 1 + random.nextInt(2), 10 + random.nextLong(60), random.nextInt(3));
            int from = STOP + 3 + random.nextInt(60);
            int to = from + (int) gang.runtime();
            place(free, gang, from, to).ifPresent(pods -> others.add(new Other(gang, pods, from, to, null)));
        }
        GangBuilder waiting = GangBuilder.gang("w", 1 + random.nextInt(3), 1000, 10 + random.nextLong(60))
                .priority(random.nextInt(4))
                .arrival(NOW);
        Gang gang = (random.nextInt(6) == 0 ? waiting.displacingNobody() : waiting).build();
        Policy policy = policy(HORIZON, 0)
                .withReplan(Replan.NEVER)
                .withMigration(new MigrationPolicy(Reach.NONE, 1, MIN_RUN, OVERHEAD))
                .withPreemption(random.nextInt(4) == 0 ? Preempting.PROMISED : Preempting.RUNNING);
        return new Case(policy, snapshot(nodes, others, gang), gang, others);
    }

    private static Node node(RandomGenerator random, int i) {
        long cores = 1 + random.nextLong(3);
        return new Node(
                "n" + i,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, cores * 1000, Resources.PODS, 9L)),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(cores * 1_000_000 * random.nextLong(3)),
                List.of());
    }

    private static Gang gang(String name, int pods, long runtime, int priority) {
        return GangBuilder.gang(name, pods, 1000, runtime)
                .priority(priority)
                .arrival(NOW - 30)
                .build();
    }

    private static Other running(
            RandomGenerator random, List<Node> nodes, Gang gang, Map<Integer, Integer> pods, int elapsed) {
        Running keeping =
                RunningGangs.of(gang, podNodes(pods, nodes), NOW - elapsed, NOW, new EvictionTiming(STOP, STOP + 2));
        List<DisruptionLimit> guards = random.nextInt(3) == 0
                ? List.of(new DisruptionLimit(
                        "budget",
                        gang.size(),
                        1 + (int) (nodes.getFirst().price().value(0) % 2)))
                : List.of();
        Running running = random.nextBoolean()
                ? RunningGangs.beginningAnew(keeping, guards)
                : RunningGangs.guarded(keeping, guards);
        return new Other(gang, pods, 0, (int) gang.runtime() - elapsed, running);
    }

    private static List<Node> podNodes(Map<Integer, Integer> pods, List<Node> nodes) {
        List<Node> podNodes = new ArrayList<>();
        for (int n = 0; n < nodes.size(); n++) {
            for (int i = 0; i < pods.getOrDefault(n, 0); i++) {
                podNodes.add(nodes.get(n));
            }
        }
        return podNodes;
    }

    static Snapshot snapshot(List<Node> nodes, List<Other> others, Gang waiting) {
        List<Occupation> load = new ArrayList<>();
        List<Running> running = new ArrayList<>();
        List<Request> requests = new ArrayList<>();
        requests.add(new Request(waiting, null));
        for (Other other : others) {
            if (other.running() != null) {
                running.add(other.running());
                load.addAll(other.running().room());
            } else {
                requests.add(new Request(other.gang(), new Promise(window(other, nodes), WindowOrigin.CYCLIC, false)));
            }
        }
        return new Snapshot(NOW, new Cluster(nodes, load), requests, List.of()).withRunning(running);
    }

    private static Window window(Other other, List<Node> nodes) {
        List<Node> podNodes = podNodes(other.pods(), nodes);
        List<Placement> places = new ArrayList<>();
        for (int i = 0; i < podNodes.size(); i++) {
            Node node = podNodes.get(i);
            long cost = perCore(node) * (other.to() - other.from());
            places.add(new Placement(
                    other.gang().pods().get(i), node.name(), NOW + other.from(), NOW + other.to(), new Cost(cost)));
        }
        return Window.of(other.gang().id(), NOW + other.from(), places);
    }

    /** Takes the first nodes with room in these seconds. Returns the number of pods by node. */
    private static Optional<Map<Integer, Integer>> place(long[][] free, Gang gang, int from, int to) {
        Map<Integer, Integer> pods = new HashMap<>();
        int left = gang.size();
        for (int n = 0; n < free.length; n++) {
            int here =
                    (int) Math.min(left, Arrays.stream(free[n], from, to).min().orElse(0));
            if (here > 0) {
                pods.put(n, here);
                left -= here;
            }
        }
        if (left > 0) {
            return Optional.empty();
        }
        pods.forEach((n, count) -> {
            for (int t = from; t < to; t++) {
                free[n][t] -= count;
            }
        });
        return Optional.of(pods);
    }

    /** The first second in which the waiting gang could start without these gangs. Empty if none up to {@code last}. */
    private static Optional<Integer> start(Case one, Set<Other> gone, int last) {
        List<Node> nodes = one.snapshot().cluster().inventory();
        long[][] free = new long[3][2 * HORIZON];
        for (int n = 0; n < 3; n++) {
            Arrays.fill(free[n], nodes.get(n).allocatable().get(Resources.CPU) / 1000);
        }
        for (Other other : one.others()) {
            int to = !gone.contains(other) ? other.to() : other.running() == null ? other.from() : STOP;
            other.pods().forEach((n, count) -> {
                for (int t = other.from(); t < to; t++) {
                    free[n][t] -= count;
                }
            });
        }
        int runtime = (int) one.waiting().runtime();
        return IntStream.rangeClosed(0, Math.min(last, HORIZON - runtime))
                .filter(t -> Arrays.stream(free)
                                .mapToLong(node -> Arrays.stream(node, t, t + runtime)
                                        .min()
                                        .orElse(0))
                                .sum()
                        >= one.waiting().size())
                .boxed()
                .findFirst();
    }

    /** The gangs that the waiting one may displace, by their loss. */
    private static List<Other> lower(Case one) {
        List<Node> nodes = one.snapshot().cluster().inventory();
        return one.others().stream()
                .filter(other -> other.gang().priority() < one.waiting().priority())
                .filter(other -> other.running() == null
                        || (one.policy().preemption() == Preempting.RUNNING
                                && other.running().progress().elapsed() >= MIN_RUN))
                .sorted(Comparator.comparing((Other other) -> other.loss(nodes), Arrays::compare)
                        .thenComparing(other -> other.gang().id()))
                .toList();
    }

    static boolean withinBudgets(Set<Other> set) {
        int covered = 0;
        int allowed = Integer.MAX_VALUE;
        for (Other other : set) {
            for (DisruptionLimit guard : other.running() == null
                    ? List.<DisruptionLimit>of()
                    : other.running().guards()) {
                covered += guard.pods();
                allowed = Math.min(allowed, guard.allowed());
            }
        }
        return covered <= allowed;
    }

    record Found(Set<GangId> displaced, long start) {}

    /**
     * The set of least loss with which the gang starts at once and sooner than {@code before}, or by {@code last} if
     * given.
     */
    private static Optional<Found> best(Case one, List<Other> lower, int before, @Nullable Integer last) {
        List<Node> nodes = one.snapshot().cluster().inventory();
        Optional<Found> best = Optional.empty();
        long[] least = {Long.MAX_VALUE};
        for (int members = 0; members < 1 << lower.size(); members++) {
            Set<Other> set = among(lower, members);
            boolean stops = set.stream().anyMatch(other -> other.running() != null);
            int latest = Math.min(before - 1, last != null ? last : stops ? STOP : 0);
            Optional<Integer> start = withinBudgets(set) ? start(one, set, latest) : Optional.empty();
            long[] loss = loss(set, nodes);
            if (start.isPresent() && Arrays.compare(loss, least) < 0) {
                least = loss;
                best = Optional.of(new Found(ids(set), NOW + start.get()));
            }
        }
        return best;
    }

    /** The gangs of a bit set. Highest bits are first, so that sets that differ first in an earlier gang come first. */
    static Set<Other> among(List<Other> lower, int members) {
        return IntStream.range(0, lower.size())
                .filter(i -> (members >> (lower.size() - 1 - i) & 1) == 0)
                .mapToObj(lower::get)
                .collect(Collectors.toSet());
    }

    static long[] loss(Set<Other> set, List<Node> nodes) {
        long[] sum = new long[5];
        for (Other other : set) {
            long[] one = other.loss(nodes);
            for (int i = 0; i < sum.length; i++) {
                sum[i] = i == 0 ? Math.max(sum[i], one[i]) : sum[i] + one[i];
            }
        }
        return sum;
    }

    static Set<GangId> ids(Set<Other> set) {
        return set.stream().map(other -> other.gang().id()).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The set of least loss, and the sets of lower priorities only that may replace it, since its gangs would displace
     * these in turn.
     */
    private static List<Optional<Found>> expected(Case one) {
        List<Optional<Found>> choices = new ArrayList<>();
        List<Other> lower = lower(one);
        choices.add(expected(one, lower));
        while (choices.getLast().isPresent()) {
            Set<GangId> before = choices.getLast().get().displaced();
            int highest = lower.stream()
                    .filter(other -> before.contains(other.gang().id()))
                    .mapToInt(other -> other.gang().priority())
                    .max()
                    .orElseThrow();
            lower = lower.stream()
                    .filter(other -> other.gang().priority() < highest)
                    .toList();
            choices.add(expected(one, lower));
        }
        return choices.size() == 1 ? choices : choices.subList(0, choices.size() - 1);
    }

    private static Optional<Found> expected(Case one, List<Other> lower) {
        int before = start(one, Set.of(), HORIZON).orElse(HORIZON);
        if (!one.waiting().preempts() || before == 0 || lower.isEmpty()) {
            return Optional.empty();
        }
        Optional<Found> atOnce = best(one, lower, before, null);
        List<Other> placed =
                lower.stream().filter(other -> other.running() == null).toList();
        Optional<Integer> first = start(one, Set.copyOf(placed), before - 1);
        return atOnce.isPresent() || first.isEmpty() ? atOnce : best(one, placed, before, first.get());
    }

    private static Set<GangId> displacedBy(Gang waiting, Plan plan) {
        Set<GangId> displaced = new TreeSet<>();
        for (Move move : plan.moves()) {
            if (move.purpose() instanceof Move.Interruption interruption
                    && waiting.id().equals(interruption.gang())) {
                displaced.add(move.gang().id());
            }
        }
        plan.broken().stream()
                .filter(broken ->
                        broken.cause() == Cause.DISPLACED && broken.message().startsWith(waiting.id() + " takes"))
                .forEach(broken -> displaced.add(broken.gang()));
        return displaced;
    }

    @Test
    void theGangsOfLeastLossMakeWay() {
        int[] found = new int[4];
        int direct = 0;
        for (int seed = 0; seed < 3000; seed++) {
            String as = "seed " + seed;
            Case one = random(seed);
            Plan plan = one.plan();
            assertThat(PlanChecker.faults(one.snapshot(), one.policy(), plan))
                    .as("seed %d", seed)
                    .isEmpty();

            List<Optional<Found>> choices = expected(one);
            Set<GangId> displaced = displacedBy(one.waiting(), plan);

            Optional<Found> best = choices.stream()
                    .filter(choice ->
                            choice.map(Found::displaced).orElse(Set.of()).equals(displaced))
                    .findFirst()
                    .orElse(choices.getFirst());
            direct += best.equals(choices.getFirst()) ? 0 : 1;
            assertThat(displaced)
                    .as("seed %d", seed)
                    .isEqualTo(best.map(Found::displaced).orElse(Set.of()));
            best.ifPresent(expected -> {
                assertThat(plan.windows())
                        .as(as)
                        .filteredOn(planned -> planned.gang().equals(one.waiting()))
                        .singleElement()
                        .satisfies(
                                planned -> assertThat(planned.window().start()).isEqualTo(expected.start()));
                found[Math.min(3, expected.displaced().size())]++;
            });
        }
        assertThat(IntStream.of(found).skip(1)).allMatch(count -> count > 20);
        assertThat(direct).isBetween(20, 600);
    }

    @Test
    void aPlanDoesNotDependOnTheOrderOfItsInput() {
        for (int seed = 0; seed < 300; seed++) {
            Case one = random(seed);
            assertThat(new Planner(one.policy()).plan(RunningGangs.turned(one.snapshot())))
                    .as("seed %d", seed)
                    .isEqualTo(one.plan());
        }
    }

    @Test
    void noGangIsDisplacedByAnEqualOrAgainstThePolicy() {
        for (int seed = 0; seed < 300; seed++) {
            Case one = random(seed);
            Plan plan = new Planner(one.policy().withPreemption(Preempting.NONE)).plan(one.snapshot());

            assertThat(plan.moves()).isEmpty();
            assertThat(plan.broken()).isEmpty();
            for (Move move : one.plan().moves()) {
                Gang victim = move.gang();
                GangId by = Objects.requireNonNull(((Move.Interruption) move.purpose()).gang());
                assertThat(victim.priority()).isLessThan(priority(one, by));
            }
        }
    }

    private static int priority(Case one, GangId gang) {
        return one.others().stream()
                .map(Other::gang)
                .filter(other -> other.id().equals(gang))
                .findFirst()
                .orElse(Objects.requireNonNull(one.waiting()))
                .priority();
    }

    /** Any plans of a busy cluster with all features at once. */
    @Test
    void plansOfBusyClustersKeepTheRules() {
        int displaced = 0;
        for (int seed = 0; seed < 300; seed++) {
            Case one = random(seed);
            RandomGenerator random = seeded(seed);
            List<Request> requests = new ArrayList<>(one.snapshot().requests());
            for (int i = 0; i < 5; i++) {
                requests.add(new Request(
                        GangBuilder.gang("x" + i, 1 + random.nextInt(3), 1000, 10 + random.nextLong(60))
                                .priority(random.nextInt(5))
                                .deadline(random.nextInt(3) == 0 ? NOW + 60 : Interval.FOREVER)
                                .arrival(NOW - random.nextInt(9))
                                .build(),
                        null));
            }
            Policy policy = one.policy()
                    .withReplan(random.nextBoolean() ? Replan.IMPROVE : Replan.FREE)
                    .withTurnover(random.nextInt(3))
                    .withMigration(new MigrationPolicy(Reach.EXTERNAL, 1, MIN_RUN, OVERHEAD));
            Snapshot snapshot = one.snapshot().withRequests(requests);

            Plan plan = new Planner(policy).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            displaced += plan.broken().size() + plan.moves().size();
        }
        assertThat(displaced).isGreaterThan(300);
    }
}
