package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.EverySubset;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.Occupations;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promises of the last cycle after a change: pods end early or late, nodes go. */
class ReplanTest {
    private static final long NOW = RandomClusters.NOW;
    private static final long HORIZON = 180;

    /** Two cycles with a change between them. */
    private record Change(Policy policy, Snapshot before, Snapshot after, Plan plan) {
        List<Request> promised() {
            return after.requests().stream()
                    .filter(request -> request.promise() != null)
                    .toList();
        }

        Optional<Planned> windowOf(GangId gang) {
            return plan.windows().stream()
                    .filter(planned -> planned.gang().id().equals(gang))
                    .findFirst();
        }

        List<GangId> broken() {
            return plan.broken().stream().map(BrokenPromise::gang).toList();
        }

        Cluster beside(GangId gang, List<Window> windows) {
            List<Occupation> load = new ArrayList<>(after.cluster().occupations());
            for (Window window : windows) {
                if (!window.gang().equals(gang)) {
                    load.addAll(occupations(after, window));
                }
            }
            return new Cluster(after.cluster().inventory(), load);
        }

        List<Window> windows() {
            return plan.windows().stream().map(Planned::window).toList();
        }
    }

    private static List<Occupation> occupations(Snapshot snapshot, Window window) {
        return snapshot.requests().stream()
                .filter(request -> request.gang().id().equals(window.gang()))
                .flatMap(request -> Occupations.in(window, request.gang(), "user").stream())
                .toList();
    }

    private static Window promise(Request request) {
        return Objects.requireNonNull(request.promise()).window();
    }

    private interface Disturbance {
        /** The cluster after the change, or null if there is nothing to disturb. */
        @Nullable
        Cluster of(Cluster cluster, long now, RandomGenerator random);
    }

    /**
     * Plans a random batch, starts what is due, disturbs the cluster, and plans again with the promises of the first
     * plan.
     */
    private static Optional<Change> change(int seed, Replan replan, Disturbance disturbance) {
        RandomGenerator random = seeded(seed);
        RandomClusters clusters = new RandomClusters(random);
        Policy policy =
                policy(HORIZON, random.nextInt(3) == 0 ? random.nextInt(4) : 0).withReplan(replan);
        List<Criterion> criteria = List.of(Criterion.values());
        List<Request> requests = IntStream.range(0, 8)
                .mapToObj(i -> new Request(clusters.gang("g" + i, criteria.get((seed + i) % criteria.size())), null))
                .toList();
        Snapshot first = new Snapshot(NOW, clusters.cluster(3 + random.nextInt(2)), requests, List.of());
        Plan plan = new Planner(policy).plan(first);
        long now = NOW + random.nextInt(6);
        List<Occupation> load = new ArrayList<>(first.cluster().occupations());
        List<Request> waiting = new ArrayList<>();
        for (Request request : requests) {
            Optional<Planned> planned = plan.windows().stream()
                    .filter(p -> p.gang().id().equals(request.gang().id()))
                    .findFirst();
            if (planned.isPresent() && planned.get().window().start() < now) {
                load.addAll(occupations(first, planned.get().window()));
            } else {
                Promise promise = planned.map(p -> new Promise(p.window(), p.origin(), random.nextInt(6) == 0))
                        .orElse(null);
                waiting.add(new Request(request.gang(), promise));
            }
        }
        Snapshot before = new Snapshot(now, new Cluster(first.cluster().inventory(), load), waiting, List.of());
        Cluster changed = disturbance.of(before.cluster(), now, random);
        if (changed == null) {
            return Optional.empty();
        }
        Snapshot after = new Snapshot(now, changed, waiting, List.of());
        Plan again = new Planner(policy).plan(after);
        assertThat(PlanChecker.faults(after, policy, again))
                .as("seed %d, %s", seed, replan)
                .isEmpty();
        return Optional.of(new Change(policy, before, after, again));
    }

    private static @Nullable Occupation any(Cluster cluster, long now, RandomGenerator random) {
        List<Occupation> running = cluster.occupations().stream()
                .filter(o ->
                        o.interval().start() <= now && now + 1 < o.interval().end())
                .toList();
        return running.isEmpty() ? null : running.get(random.nextInt(running.size()));
    }

    private static Cluster with(Cluster cluster, Occupation old, @Nullable Interval interval) {
        List<Occupation> load = new ArrayList<>(cluster.occupations());
        load.remove(old);
        if (interval != null) {
            boolean overrun = interval.end() > old.interval().end();
            load.add(new Occupation(old.holder(), old.node(), old.resources(), interval, overrun));
        }
        return new Cluster(cluster.inventory(), load);
    }

    private static @Nullable Cluster early(Cluster cluster, long now, RandomGenerator random) {
        Occupation old = any(cluster, now, random);
        if (old == null) {
            return null;
        }
        long end = Math.min(old.interval().end(), now + HORIZON);
        return with(
                cluster,
                old,
                random.nextBoolean()
                        ? null
                        : new Interval(old.interval().start(), now + 1 + random.nextLong(end - now)));
    }

    private static @Nullable Cluster late(Cluster cluster, long now, RandomGenerator random) {
        Occupation old = any(cluster, now, random);
        return old == null || old.interval().end() >= Interval.FOREVER
                ? null
                : with(
                        cluster,
                        old,
                        new Interval(old.interval().start(), old.interval().end() + 1 + random.nextInt(120)));
    }

    private static @Nullable Cluster lost(Cluster cluster, long now, RandomGenerator random) {
        List<Node> nodes = new ArrayList<>(cluster.inventory());
        Node node = nodes.remove(random.nextInt(nodes.size()));
        if (random.nextBoolean()) {
            long from = now + random.nextInt(60);
            List<Interval> kept = new ArrayList<>(node.unavailable());
            kept.add(new Interval(from, from + 1 + random.nextInt(60)));
            nodes.add(node.withUnavailable(kept));
        }
        return new Cluster(nodes, cluster.occupations());
    }

    /** Asserts that gangs without a window fit nowhere next to all windows. */
    private static int assertThatWhoWaitsFitsNowhere(Change change, int seed) {
        for (Pending pending : change.plan().pending()) {
            Request request = change.after().requests().stream()
                    .filter(r -> r.gang().id().equals(pending.gang()))
                    .findFirst()
                    .orElseThrow();
            assertThat(BruteForce.best(
                            change.beside(pending.gang(), change.windows()),
                            change.policy(),
                            request.gang(),
                            change.after().now()))
                    .as("seed %d, %s", seed, pending)
                    .isNull();
        }
        return change.plan().pending().size();
    }

    private static boolean improvable(Change change, Request request, List<Window> windows, Window window) {
        return BruteForce.improves(
                change.beside(request.gang().id(), windows),
                change.policy(),
                request.gang(),
                change.after().now(),
                window);
    }

    private static List<GangId> moved(Change change) {
        return change.promised().stream()
                .filter(request -> change.windowOf(request.gang().id())
                        .filter(planned -> planned.window().equals(promise(request)))
                        .isEmpty())
                .map(request -> request.gang().id())
                .toList();
    }

    private static boolean isFree(Request request) {
        return request.promise() != null && !request.promise().released();
    }

    @Test
    void roomThatAPodLeavesEarlyIsUsedAtOnceAndNoPromiseBroken() {
        int improved = 0;
        int used = 0;
        int waiting = 0;
        int served = 0;
        for (int seed = 0; seed < 90; seed++) {
            Optional<Change> some = change(seed, Replan.IMPROVE, ReplanTest::early);
            if (some.isEmpty()) {
                continue;
            }
            Change change = some.get();
            assertThat(change.plan().broken()).as("seed %d", seed).isEmpty();
            List<Window> promises =
                    change.promised().stream().map(ReplanTest::promise).toList();
            boolean improvable = change.promised().stream()
                    .filter(ReplanTest::isFree)
                    .anyMatch(request -> improvable(change, request, promises, promise(request)));
            List<GangId> moved = moved(change);
            if (improvable) {
                assertThat(moved).as("seed %d", seed).isNotEmpty();
                used++;
            }
            improved += moved.size();
            waiting += assertThatWhoWaitsFitsNowhere(change, seed);
            served += served(change);
        }
        assertThat(used).as("clusters in which a promise could be improved").isGreaterThan(5);
        assertThat(improved).isGreaterThanOrEqualTo(used);
        assertThat(waiting).as("gangs that were looked for room in vain").isGreaterThan(100);
        assertThat(served).as("gangs that waited and got the room").isPositive();
    }

    @Test
    void aPromiseMovesInTimeOnlyForTheGainThatThePolicyRequires() {
        int moved = 0;
        int spared = 0;
        for (int seed = 0; seed < 150; seed++) {
            Optional<Change> some = change(seed, Replan.IMPROVE, ReplanTest::early);
            if (some.isEmpty()) {
                continue;
            }
            Change any = some.get();
            Policy policy = any.policy().withReplanGain(500_000).withSlack(PromiseSlack.NONE);
            Change change = new Change(policy, any.before(), any.after(), new Planner(policy).plan(any.after()));
            assertThat(change.plan().broken()).as("seed %d", seed).isEmpty();
            for (GangId gang : moved(change)) {
                assertThat(isWorthHalfOfTheWait(change, gang))
                        .as("seed %d, %s", seed, gang)
                        .isTrue();
                moved++;
            }
            spared += (int) moved(any).stream()
                    .filter(gang -> !isWorthHalfOfTheWait(any, gang))
                    .peek(gang -> assertThat(change.windowOf(gang).orElseThrow().window())
                            .satisfiesAnyOf(
                                    window -> assertThat(window).isEqualTo(promise(change, gang)),
                                    _ -> assertThat(isWorthHalfOfTheWait(change, gang))
                                            .isTrue()))
                    .count();
        }
        assertThat(moved).as("promises that moved").isGreaterThan(10);
        assertThat(spared).as("moves that were not worth it").isGreaterThan(5);
    }

    private static Window promise(Change change, GangId gang) {
        return promise(change.promised().stream()
                .filter(request -> request.gang().id().equals(gang))
                .findFirst()
                .orElseThrow());
    }

    private static boolean isWorthHalfOfTheWait(Change change, GangId id) {
        Planned planned = change.windowOf(id).orElseThrow();
        Window before = promise(change, id);
        Window after = planned.window();
        Criterion criterion = planned.gang().criterion();
        long wait =
                before.start() - Math.max(change.after().now(), planned.gang().earliestStart());
        return after.cost().compareTo(before.cost()) < 0
                || (criterion != Criterion.START
                        && criterion != Criterion.FINISH
                        && after.value(planned.gang()) < before.value(planned.gang()))
                || 2 * (before.start() - after.start()) >= wait
                || 2 * (before.end() - after.end()) >= wait;
    }

    private static int served(Change change) {
        return (int) change.after().requests().stream()
                .filter(request -> request.promise() == null
                        && change.windowOf(request.gang().id()).isPresent())
                .count();
    }

    /** A cycle makes room for the next one. After some cycles nothing is left to improve. */
    @Test
    void cyclesImprovePromisesUntilNoGangAloneCouldDoBetter() {
        int most = 0;
        for (int seed = 0; seed < 60; seed++) {
            Optional<Change> some = change(seed, Replan.IMPROVE, ReplanTest::early);
            int cycles = 0;
            while (some.isPresent() && !moved(some.get()).isEmpty()) {
                assertThat(++cycles).as("seed %d", seed).isLessThan(10);
                some = Optional.of(again(some.get(), seed));
            }
            most = Math.max(most, cycles);
            if (some.isPresent()) {
                Change last = some.get();
                List<Window> promises =
                        last.promised().stream().map(ReplanTest::promise).toList();
                assertThat(last.promised())
                        .as("seed %d", seed)
                        .filteredOn(ReplanTest::isFree)
                        .noneMatch(request -> improvable(last, request, promises, promise(request)));
            }
        }
        assertThat(most).isPositive();
    }

    private static Change again(Change change, int seed) {
        List<Request> requests = change.after().requests().stream()
                .map(request -> new Request(
                        request.gang(),
                        change.windowOf(request.gang().id())
                                .map(p -> new Promise(
                                        p.window(), p.origin(), request.promise() != null && !isFree(request)))
                                .orElse(null)))
                .toList();
        Snapshot after = change.after().withRequests(requests);
        Plan plan = new Planner(change.policy()).plan(after);
        assertThat(PlanChecker.faults(after, change.policy(), plan))
                .as("seed %d", seed)
                .isEmpty();
        assertThat(plan.broken()).as("seed %d", seed).isEmpty();
        return new Change(change.policy(), change.after(), after, plan);
    }

    @Test
    void underReplanNeverNothingMovesAndWaitingGangsGetTheRoom() {
        int served = 0;
        for (int seed = 0; seed < 50; seed++) {
            Optional<Change> change = change(seed, Replan.NEVER, ReplanTest::early);
            if (change.isPresent()) {
                assertThat(change.get().plan().broken()).as("seed %d", seed).isEmpty();
                assertThat(moved(change.get())).as("seed %d", seed).isEmpty();
                assertThatWhoWaitsFitsNowhere(change.get(), seed);
                served += (int) change.get().after().requests().stream()
                        .filter(request -> request.promise() == null
                                && change.get().windowOf(request.gang().id()).isPresent())
                        .count();
            }
        }
        assertThat(served).isPositive();
    }

    @Test
    void underReplanFreeOnlyReleasedGangsStayAndWorseMovesAreTold() {
        int told = 0;
        for (int seed = 0; seed < 80; seed++) {
            Optional<Change> some = change(seed, Replan.FREE, ReplanTest::early);
            if (some.isEmpty()) {
                continue;
            }
            Change change = some.get();
            List<GangId> moved = moved(change);
            assertThat(change.plan().broken())
                    .allSatisfy(broken -> assertThat(broken.cause()).isEqualTo(Cause.POLICY));
            assertThat(change.promised())
                    .filteredOn(
                            request -> Objects.requireNonNull(request.promise()).released())
                    .noneSatisfy(
                            request -> assertThat(moved).contains(request.gang().id()));
            told += change.plan().broken().size();
        }
        assertThat(told).isPositive();
    }

    @Test
    void anOverrunningPodBreaksOnlyThePromisesThatItMust() {
        int broken = 0;
        int again = 0;
        for (int seed = 0; seed < 80; seed++) {
            Optional<Change> some = change(seed, Replan.IMPROVE, ReplanTest::late);
            if (some.isEmpty()) {
                continue;
            }
            Change change = some.get();
            assertThat(change.broken()).as("seed %d", seed).isEqualTo(EverySubset.smallest(change.after()));
            assertThat(EverySubset.colliding(change.after())).containsAll(change.broken());
            assertThat(change.plan().broken())
                    .allSatisfy(b -> assertThat(b.cause()).isEqualTo(Cause.OVERRUN));
            assertThatWhoWaitsFitsNowhere(change, seed);
            broken += change.broken().size();
            again += (int) change.broken().stream()
                    .filter(gang -> change.windowOf(gang).isPresent())
                    .count();
        }
        assertThat(broken).isGreaterThan(20);
        assertThat(again).isGreaterThan(10);
    }

    @Test
    void nodeThatIsLostOrKeptByItsOwnerBreaksOnlyWhatWasPromisedThere() {
        int broken = 0;
        int again = 0;
        for (int seed = 0; seed < 60; seed++) {
            Change change = change(seed, Replan.IMPROVE, ReplanTest::lost).orElseThrow();
            assertThat(change.broken()).as("seed %d", seed).isEqualTo(EverySubset.smallest(change.after()));
            assertThat(change.plan().broken())
                    .allSatisfy(b -> assertThat(b.cause()).isIn(Cause.NODE_LOST, Cause.OWNER));
            assertThatWhoWaitsFitsNowhere(change, seed);
            broken += change.broken().size();
            again += (int) change.broken().stream()
                    .filter(gang -> change.windowOf(gang).isPresent())
                    .count();
        }
        assertThat(broken).isGreaterThan(30);
        assertThat(again).isGreaterThan(15);
    }

    @ParameterizedTest
    @EnumSource(
            value = Criterion.class,
            names = {"START", "FINISH", "RUNTIME", "PROCESSOR_TIME"})
    void aFreedNodeIsTakenForLessMoneyAtTheSameCriterion(Criterion criterion) {
        Cluster idle = new Cluster(List.of(oneCore("cheap", 1_000_000), oneCore("dear", 2_000_000)), List.of());
        Occupation pod = new Occupation(
                "other/pod", "cheap", Resources.of(Map.of(Resources.CPU, 1000L)), new Interval(NOW, NOW + 1000));
        Gang gang = GangBuilder.gang("g", 1, 1000, 20)
                .nodeIndependent()
                .criterion(criterion)
                .earliestStart(NOW + 5)
                .arrival(NOW)
                .build();
        Policy policy = policy(HORIZON, 0);
        Snapshot busy = new Snapshot(
                NOW, new Cluster(idle.inventory(), List.of(pod)), List.of(new Request(gang, null)), List.of());
        Planned first = new Planner(policy).plan(busy).windows().getFirst();
        Promise promise = new Promise(first.window(), first.origin(), false);

        Plan plan = new Planner(policy).plan(new Snapshot(NOW, idle, List.of(new Request(gang, promise)), List.of()));

        assertThat(first.window().placements().getFirst().node()).isEqualTo("dear");
        assertThat(plan.broken()).isEmpty();
        assertThat(plan.windows()).singleElement().satisfies(planned -> {
            assertThat(planned.kept()).isFalse();
            assertThat(planned.window().start()).isEqualTo(NOW + 5);
            assertThat(planned.window().placements().getFirst().node()).isEqualTo("cheap");
        });
    }
}
