package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static io.slotwise.core.planner.RandomPreemptionTest.HORIZON;
import static io.slotwise.core.planner.RandomPreemptionTest.MIN_RUN;
import static io.slotwise.core.planner.RandomPreemptionTest.NOW;
import static io.slotwise.core.planner.RandomPreemptionTest.STOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.RandomPreemptionTest.Case;
import io.slotwise.core.planner.RandomPreemptionTest.Found;
import io.slotwise.core.planner.RandomPreemptionTest.Other;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The cases of {@link RandomPreemptionTest} with queues: {@code a} and {@code b} below {@code s}, {@code c} next to it.
 * All gangs but the waiting one have the same priority. The best set of gangs to displace is found by trying all sets.
 */
class RandomReclaimTest {
    private static final int CASES = 1000;

    private static final Map<String, List<String>> PATHS = Map.of(
            "a", List.of("a", "s", "root"),
            "b", List.of("b", "s", "root"),
            "s", List.of("s", "root"),
            "c", List.of("c", "root"));

    /** A case with the cores that each queue is guaranteed, and the cores that the root has for all of them. */
    private record Queued(
            Case base,
            Map<String, Integer> guarantees,
            @Nullable Integer pool) {
        List<Node> nodes() {
            return base.snapshot().cluster().inventory();
        }

        int guarantee(String queue) {
            return Objects.requireNonNull(guarantees.get(queue));
        }

        /** The cores that gangs below a queue use in a second after now, when some have left. */
        int use(String queue, Set<Other> gone, int second) {
            return base.others().stream()
                    .filter(other -> path(other.gang()).contains(queue))
                    .filter(other -> other.from() <= second && second < end(other, gone))
                    .mapToInt(other -> other.gang().size())
                    .sum();
        }
    }

    private static List<String> path(Gang gang) {
        return Objects.requireNonNull(PATHS.get(Objects.requireNonNull(gang.queue())));
    }

    private static int end(Other other, Set<Other> gone) {
        return !gone.contains(other) ? other.to() : other.running() == null ? other.from() : STOP;
    }

    private static Gang queued(RandomGenerator random, Gang gang, int priority, String queue) {
        return new Gang(
                gang.id(),
                gang.shapes(),
                gang.demand().withQueue(queue).withPreemptible(random.nextInt(3) > 0),
                priority,
                gang.arrival(),
                gang.placementRequest(),
                gang.preempts());
    }

    private static Other queued(RandomGenerator random, Other other) {
        Gang gang = queued(
                random, other.gang(), 0, List.of("a", "b", "b", "c", "c", "s").get(random.nextInt(6)));
        Running before = other.running();
        Running running = before == null
                ? null
                : new Running(
                        gang,
                        before.progress(),
                        before.room(),
                        before.timing(),
                        before.moves(),
                        before.keepsWork(),
                        before.guards(),
                        before.lost());
        return new Other(gang, other.pods(), other.from(), other.to(), running);
    }

    private static Queued random(int seed) {
        RandomGenerator random = seeded(seed + 100_000L);
        Case one = RandomPreemptionTest.random(seed);
        List<Node> nodes = one.snapshot().cluster().inventory();
        int cores = nodes.stream()
                        .mapToInt(node -> (int) node.allocatable().get(Resources.CPU))
                        .sum()
                / 1000;
        List<Other> others =
                one.others().stream().map(other -> queued(random, other)).toList();
        Gang waiting = queued(random, one.waiting(), random.nextInt(3) == 0 ? 1 : 0, "a");
        Map<String, Integer> guarantees = new TreeMap<>();
        guarantees.put("a", random.nextInt(4));
        guarantees.put("b", random.nextInt(3));
        guarantees.put("s", guarantees.get("a") + guarantees.get("b") + random.nextInt(2));
        guarantees.put("c", random.nextInt(3));
        int sum = guarantees.get("s") + guarantees.get("c");
        Integer pool = random.nextInt(3) == 0 ? Math.max(sum, cores - 1) : null;
        guarantees.put("root", pool == null ? Math.max(sum, cores) : pool);
        List<Queue> queues = new ArrayList<>();
        if (pool != null) {
            queues.add(queue("root", null, pool));
        }
        queues.add(queue("s", null, guarantees.get("s")));
        queues.add(queue("a", "s", guarantees.get("a")));
        queues.add(queue("b", "s", guarantees.get("b")));
        queues.add(queue("c", null, guarantees.get("c")));
        QueueTree tree = QueueTree.of(queues, Resources.of(Map.of(Resources.CPU, cores * 1000L)));
        assertThat(tree.faults()).isEmpty();
        List<QueueUse> uses = others.stream()
                .filter(other -> other.running() != null)
                .map(other -> new QueueUse(
                        other.gang().id().toString(),
                        Objects.requireNonNull(other.gang().queue()),
                        other.gang().total(),
                        new Interval(NOW - 30, NOW + other.to())))
                .toList();
        Snapshot snapshot =
                RandomPreemptionTest.snapshot(nodes, others, waiting).withQueues(new QueueState(tree, uses));
        return new Queued(new Case(one.policy(), snapshot, waiting, others), guarantees, pool);
    }

    private static Queue queue(String name, @Nullable String parent, int cores) {
        return new Queue(name, parent, 1, Map.of(Resources.CPU, Amount.of(cores * 1000L)), Map.of(), Map.of(), false);
    }

    /** The queues from that of one gang up to below the first that is above the other one too. */
    private static List<String> below(Gang gang, Gang other) {
        List<String> below = new ArrayList<>(path(gang));
        below.removeAll(path(other));
        return below;
    }

    private static boolean isAcross(Other other) {
        return !"a".equals(other.gang().queue());
    }

    private static int level(Queued one, Other other) {
        return isAcross(other) ? below(one.base().waiting(), other.gang()).size() : 0;
    }

    /** Returns whether a gang borrows in some second of these when some have left. */
    private static boolean borrows(Queued one, Other other, Set<Other> gone, int from, int to) {
        Set<Other> left = new HashSet<>(gone);
        left.remove(other);
        return !isAcross(other)
                || IntStream.range(Math.max(from, other.from()), Math.min(to, other.to()))
                        .anyMatch(second -> below(other.gang(), one.base().waiting()).stream()
                                .allMatch(queue -> one.use(queue, left, second) > one.guarantee(queue)));
    }

    private static List<Other> lower(Queued one) {
        Case base = one.base();
        Gang waiting = base.waiting();
        return base.others().stream()
                .filter(other -> {
                    boolean runs = other.running() != null;
                    boolean byPolicy = base.policy().preemption() == Preempting.RUNNING || !runs;
                    boolean lower = byPolicy && waiting.priority() > 0 && waiting.preempts();
                    boolean reclaimable = !runs || other.gang().preemptible();
                    return isAcross(other) ? (lower || reclaimable) && level(one, other) > 0 : lower;
                })
                .filter(other ->
                        other.running() == null || other.running().progress().elapsed() >= MIN_RUN)
                .filter(other -> RandomPreemptionTest.withinBudgets(Set.of(other)))
                .filter(other -> borrows(one, other, Set.of(), 0, other.to()))
                .sorted(Comparator.comparing((Other other) -> other.loss(one.nodes()), Arrays::compare)
                        .thenComparing(other -> other.gang().id()))
                .toList();
    }

    private static Optional<Integer> start(Queued one, Set<Other> gone, int last, int level) {
        int runtime = (int) one.base().waiting().runtime();
        return IntStream.rangeClosed(0, Math.min(last, HORIZON - runtime))
                .filter(start -> fits(one, gone, start, start + runtime, level))
                .boxed()
                .findFirst();
    }

    private static boolean fits(Queued one, Set<Other> gone, int from, int to, int level) {
        int size = one.base().waiting().size();
        long room = 0;
        for (int n = 0; n < one.nodes().size(); n++) {
            int node = n;
            long cores = one.nodes().get(n).allocatable().get(Resources.CPU) / 1000;
            room += IntStream.range(from, to)
                    .mapToLong(second -> cores
                            - one.base().others().stream()
                                    .filter(other -> other.from() <= second && second < end(other, gone))
                                    .mapToInt(other -> other.pods().getOrDefault(node, 0))
                                    .sum())
                    .min()
                    .orElse(0);
        }
        return room >= size
                && IntStream.range(from, to)
                        .allMatch(second -> (one.pool() == null || one.use("root", gone, second) + size <= one.pool())
                                && path(one.base().waiting()).subList(0, level).stream()
                                        .allMatch(queue ->
                                                one.use(queue, Set.of(), second) + size <= one.guarantee(queue)));
    }

    private static Optional<Found> best(Queued one, List<Other> lower, int before, int level, @Nullable Integer last) {
        boolean anyStops = lower.stream().anyMatch(other -> other.running() != null);
        int end = (last != null ? last : anyStops ? STOP : 0)
                + (int) one.base().waiting().runtime();
        List<Other> candidates = lower.stream()
                .filter(other -> other.from() < end && borrows(one, other, Set.of(), 0, end))
                .toList();
        Optional<Found> best = Optional.empty();
        long[] least = {Long.MAX_VALUE};
        for (int members = 0; members < 1 << candidates.size(); members++) {
            Set<Other> set = RandomPreemptionTest.among(candidates, members);
            boolean stops = set.stream().anyMatch(other -> other.running() != null);
            int latest = Math.min(before - 1, last != null ? last : stops ? STOP : 0);
            long[] loss = RandomPreemptionTest.loss(set, one.nodes());
            if (Arrays.compare(loss, least) < 0
                    && RandomPreemptionTest.withinBudgets(set)
                    && set.stream().allMatch(other -> borrows(one, other, set, 0, end))) {
                Optional<Integer> start = start(one, set, latest, level);
                if (start.isPresent()) {
                    least = loss;
                    best = Optional.of(new Found(RandomPreemptionTest.ids(set), NOW + start.get()));
                }
            }
        }
        return best;
    }

    private static Optional<Found> expected(Queued one) {
        int before = start(one, Set.of(), HORIZON, 0).orElse(HORIZON);
        List<Other> lower = lower(one);
        if (before == 0) {
            return Optional.empty();
        }
        return lower.stream()
                .map(other -> level(one, other))
                .distinct()
                .sorted()
                .flatMap(level ->
                        expected(
                                one,
                                lower.stream()
                                        .filter(other -> level(one, other) <= level)
                                        .toList(),
                                before,
                                level)
                                .stream())
                .min(Comparator.comparingLong(Found::start).thenComparing(found -> loss(one, found), Arrays::compare));
    }

    private static long[] loss(Queued one, Found found) {
        Set<Other> set = new HashSet<>(one.base().others());
        set.removeIf(other -> !found.displaced().contains(other.gang().id()));
        return RandomPreemptionTest.loss(set, one.nodes());
    }

    private static Optional<Found> expected(Queued one, List<Other> lower, int before, int level) {
        Optional<Found> atOnce = best(one, lower, before, level, null);
        List<Other> placed =
                lower.stream().filter(other -> other.running() == null).toList();
        Optional<Integer> first = start(one, Set.copyOf(placed), before - 1, level);
        return atOnce.isPresent() || first.isEmpty() || placed.isEmpty()
                ? atOnce
                : best(one, placed, before, level, first.get());
    }

    private static Set<GangId> displacedBy(Gang waiting, Plan plan) {
        Set<GangId> displaced = new TreeSet<>();
        for (Move move : plan.moves()) {
            GangId by = switch (move.purpose()) {
                case Move.Interruption(GangId gang, long _, long _) -> gang;
                case Move.Reclaim(GangId gang, long _, long _) -> gang;
                case Move.Start _, Move.Saving _ -> null;
            };
            if (waiting.id().equals(by)) {
                displaced.add(move.gang().id());
            }
        }
        plan.broken().stream()
                .filter(broken -> Set.of(Cause.DISPLACED, Cause.RECLAIMED).contains(broken.cause())
                        && broken.message().startsWith(waiting.id() + " takes"))
                .forEach(broken -> displaced.add(broken.gang()));
        return displaced;
    }

    @Test
    void theBorrowersOfLeastLossMakeWay() {
        int[] found = new int[4];
        int[] reclaimed = new int[2];
        for (int seed = 0; seed < CASES; seed++) {
            String as = "seed " + seed;
            Queued one = random(seed);
            Case base = one.base();

            Plan plan = base.plan();

            assertThat(PlanChecker.faults(base.snapshot(), base.policy(), plan))
                    .as(as)
                    .isEmpty();
            Optional<Found> best = expected(one);
            assertThat(displacedBy(base.waiting(), plan))
                    .as("%s: %s", as, one.guarantees())
                    .isEqualTo(best.map(Found::displaced).orElse(Set.of()));
            best.ifPresent(expected -> {
                assertThat(plan.windows())
                        .as(as)
                        .filteredOn(planned -> planned.gang().equals(base.waiting()))
                        .singleElement()
                        .satisfies(
                                planned -> assertThat(planned.window().start()).isEqualTo(expected.start()));
                found[Math.min(3, expected.displaced().size())]++;
            });
            reclaimed[0] += (int) plan.broken().stream()
                    .filter(broken -> broken.cause() == Cause.RECLAIMED)
                    .count();
            reclaimed[1] += (int) Stream.ofNullable(plan.moves())
                    .flatMap(List::stream)
                    .filter(move -> move.purpose() instanceof Move.Reclaim)
                    .count();
        }
        assertThat(IntStream.of(found).skip(1).limit(2)).allMatch(count -> count > 10);
        assertThat(IntStream.of(reclaimed)).allMatch(count -> count > 20);
    }
}
