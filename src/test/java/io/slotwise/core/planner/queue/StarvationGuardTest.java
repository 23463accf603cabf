package io.slotwise.core.planner.queue;

import static io.slotwise.testing.GangBuilder.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Batch;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.Occupations;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams of gangs, cycle by cycle. The test counts without the planner how many gangs have passed another. */
class StarvationGuardTest {
    private static final long START = 1_893_456_000L;
    private static final int LIMIT = 3;
    private static final int SEEDS = 4;

    private static final class Case {
        private final Gang gang;
        private @Nullable Promise promise;
        private boolean everPromised;
        private long promisedAt;

        Case(Gang gang) {
            this.gang = gang;
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void noMoreGangsThanThatPassOneThatAlwaysFits(Order order) {
        for (Policy policy : policies(order, LIMIT)) {
            for (long seed = 0; seed < SEEDS; seed++) {
                List<Case> cases = stream(policy, seed, 2);

                for (Case one : cases) {
                    assertThat(one.everPromised).isTrue();
                    assertThat(passes(one, cases, one.promisedAt))
                            .as("%s under %s, seed %d", one.gang.id(), policy, seed)
                            .isLessThanOrEqualTo(LIMIT);
                }
            }
        }
    }

    @Test
    void withoutTheLimitMoreDo() {
        Map<Order, Long> most = new EnumMap<>(Order.class);
        for (Order order : Order.values()) {
            for (Policy policy : policies(order, 0)) {
                for (long seed = 0; seed < SEEDS; seed++) {
                    List<Case> cases = stream(policy, seed, 2);
                    cases.forEach(one -> most.merge(order, passes(one, cases, one.promisedAt), Math::max));
                }
            }
        }

        assertThat(most.values()).allMatch(passes -> passes > LIMIT);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aGangPassedTooOftenWaitsOnlyIfNoWindowFits(Order order) {
        int without = 0;
        for (Policy policy : policies(order, LIMIT)) {
            for (long seed = 0; seed < SEEDS; seed++) {
                without += new Rehearsed(policy.withHorizon(60), seed, 2, true).run();
            }
        }
        assertThat(without).isPositive();
    }

    @Test
    void aHigherPriorityCountsForNothingAndStillGoesFirst() {
        Policy policy = policies(Order.PRIORITY, 1).getLast();
        Gang low = gang("low", 2, 1000, 20).arrival(START).build();
        Gang high = gang("high", 1, 1000, 20).priority(1).arrival(START + 1).build();
        Snapshot snapshot = new Snapshot(
                START + 2,
                cluster(List.of(held("p0", START, START + 50))),
                List.of(new Request(low, null), new Request(high, null)),
                List.of());

        Plan plan = new Planner(policy).plan(snapshot);

        assertThat(plan.windows()).first().satisfies(first -> {
            assertThat(first.gang()).isEqualTo(high);
            assertThat(first.window().start()).isEqualTo(START + 2);
        });
    }

    @Test
    void aGangThatIsServedFirstMakesWayForAHigherPriority() {
        Policy policy = policies(Order.FIFO, 1).getFirst().withPreemption(Preempting.RUNNING);
        Gang low = gang("low", 2, 1000, 20).arrival(START).build();
        Gang high = gang("high", 2, 1000, 20).priority(1).arrival(START + 1).build();
        Snapshot snapshot = new Snapshot(
                START + 2, cluster(List.of()), List.of(new Request(low, null, 5), new Request(high, null)), List.of());

        Plan plan = new Planner(policy).plan(snapshot);

        assertThat(plan.broken()).isEmpty();
        assertThat(plan.windows()).extracting(planned -> planned.gang().id()).containsExactly(high.id(), low.id());
        assertThat(plan.windows().getLast().window().start()).isEqualTo(START + 22);
    }

    @Test
    void onlyLaterGangsOfNoHigherPriorityCountAsPassing() {
        BypassCounter arrivals = new BypassCounter(List.of(
                new BypassCounter.Arrival(5, 0),
                new BypassCounter.Arrival(7, 0),
                new BypassCounter.Arrival(7, 0),
                new BypassCounter.Arrival(9, 0),
                new BypassCounter.Arrival(9, 3)));

        assertThat(arrivals.passed(new BypassCounter.Arrival(4, 3))).isEqualTo(5);
        assertThat(arrivals.passed(new BypassCounter.Arrival(4, 2))).isEqualTo(4);
        assertThat(arrivals.passed(new BypassCounter.Arrival(7, 2))).isEqualTo(1);
        assertThat(arrivals.passed(new BypassCounter.Arrival(9, 3))).isZero();
        assertThat(arrivals.passed(new BypassCounter.Arrival(4, -1))).isZero();
    }

    /** Policies of a batch under which some gangs get no window in a cycle. */
    private static List<Policy> policies(Order order, int limit) {
        Batch batch = Policy.EXACT.batch();
        Policy base = Policy.EXACT
                .withHorizon(5000)
                .withPreemption(Preempting.NONE)
                .withQueue(Policy.EXACT.queue().by(order).passedBy(limit));
        Policy easy = base.withBackfill(Backfill.EASY).withBatch(batch.withSplit(new Split(1, 0, Split.Choice.ORDER)));
        Policy part = base.withBackfill(Backfill.NONE)
                .withBatch(batch.withSplit(new Split(1, 300_000, Split.Choice.PROCESSOR_TIME)));
        Policy cheap =
                base.withBackfill(Backfill.EASY).withBatch(batch.withSplit(new Split(2, 200_000, Split.Choice.COST)));
        return List.of(easy, part, cheap);
    }

    private static long passes(Case one, List<Case> cases, long until) {
        return cases.stream()
                .filter(other -> other.everPromised && other.promisedAt < until && passes(other.gang, one.gang))
                .count();
    }

    private static List<Case> stream(Policy policy, long seed, int nodes) {
        Rehearsed stream = new Rehearsed(policy, seed, nodes, false);
        stream.run();
        return stream.cases;
    }

    private static final class Rehearsed {
        private final Policy policy;
        private final RandomGenerator random;
        private final int nodes;
        private final boolean examined;
        private final List<Case> cases = new ArrayList<>();
        private final Map<GangId, Case> waiting = new TreeMap<>();
        private final List<Occupation> running = new ArrayList<>();
        private int without;

        Rehearsed(Policy policy, long seed, int nodes, boolean examined) {
            this.policy = policy;
            this.random = new SplittableRandom(seed);
            this.nodes = nodes;
            this.examined = examined;
        }

        /**
         * Runs until no gang waits, or long enough. Returns how often a gang had no window although it had been passed
         * too often.
         */
        int run() {
            long now = START;
            for (int cycle = 0; cycle < 400 && (cycle < 60 || !waiting.isEmpty()); cycle++) {
                now += 1 + random.nextInt(8);
                if (cycle < 60) {
                    arrive(now);
                }
                cycle(now);
            }
            return without;
        }

        private void arrive(long now) {
            for (int i = random.nextInt(4); i > 0; i--) {
                Gang gang = gang("g" + cases.size(), 1 + random.nextInt(nodes), 1000, 5 + random.nextInt(40))
                        .namespace("n" + random.nextInt(3))
                        .arrival(now - random.nextInt(3))
                        .priority(random.nextInt(2))
                        .build();
                Case one = new Case(gang);
                cases.add(one);
                waiting.put(gang.id(), one);
            }
        }

        private void cycle(long now) {
            running.removeIf(held -> held.interval().end() <= now);
            List<Request> requests = waiting.values().stream()
                    .map(one -> new Request(one.gang, one.promise, (int) passes(one, cases, now)))
                    .toList();
            Snapshot snapshot = new Snapshot(now, cluster(List.copyOf(running)), requests, List.of());
            Plan plan = new Planner(policy).plan(snapshot);
            assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
            if (examined) {
                examine(snapshot, plan);
            }
            plan.pending().forEach(pending -> known(pending.gang()).promise = null);
            plan.windows().forEach(planned -> promise(planned, now));
            List.copyOf(waiting.values()).stream()
                    .filter(one -> one.promise != null && one.promise.window().start() <= now)
                    .forEach(this::start);
        }

        private void promise(Planned planned, long now) {
            Case one = known(planned.gang().id());
            one.promise = new Promise(planned.window(), planned.origin(), false);
            if (!one.everPromised) {
                one.everPromised = true;
                one.promisedAt = now;
            }
        }

        private Case known(GangId gang) {
            return Objects.requireNonNull(waiting.get(gang));
        }

        private void start(Case one) {
            waiting.remove(one.gang.id());
            running.addAll(Occupations.in(
                    Objects.requireNonNull(one.promise).window(),
                    one.gang,
                    one.gang.id().toString()));
        }

        /**
         * Asserts that a gang without a window that was passed too often fits nowhere next to promises and to gangs
         * that came no later.
         */
        private void examine(Snapshot snapshot, Plan plan) {
            Map<GangId, Request> requests = new HashMap<>();
            snapshot.requests().forEach(request -> requests.put(request.gang().id(), request));
            for (Pending pending : plan.pending()) {
                Request left = Objects.requireNonNull(requests.get(pending.gang()));
                List<Planned> passing = plan.windows().stream()
                        .filter(planned -> !promised(requests, planned) && passes(planned.gang(), left.gang()))
                        .toList();
                if (!passing.isEmpty() && left.passed() + passing.size() > LIMIT) {
                    without++;
                    Stream<Request> before = plan.windows().stream()
                            .filter(planned -> promised(requests, planned)
                                    || planned.gang().arrival() <= left.gang().arrival())
                            .map(planned ->
                                    new Request(planned.gang(), new Promise(planned.window(), planned.origin(), true)));
                    Policy alone = Policy.EXACT.withHorizon(policy.horizon()).withPreemption(Preempting.NONE);
                    Snapshot asked =
                            snapshot.withRequests(Stream.concat(before, Stream.of(new Request(left.gang(), null)))
                                    .toList());
                    assertThat(new Planner(alone).plan(asked).pending())
                            .extracting(Pending::gang)
                            .contains(left.gang().id());
                }
            }
        }

        private static boolean promised(Map<GangId, Request> requests, Planned planned) {
            return Objects.requireNonNull(requests.get(planned.gang().id())).promise() != null;
        }
    }

    private static boolean passes(Gang later, Gang waiting) {
        return later.arrival() > waiting.arrival() && later.priority() <= waiting.priority();
    }

    private static Cluster cluster(List<Occupation> running) {
        return new Cluster(List.of(node("p0"), node("p1")), running);
    }

    private static Occupation held(String node, long start, long end) {
        return new Occupation("other/pod", node, one(), new Interval(start, end));
    }

    private static Node node(String name) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                one(),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(100),
                List.of());
    }

    private static Resources one() {
        return Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L));
    }
}
