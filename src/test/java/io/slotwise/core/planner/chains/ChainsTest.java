package io.slotwise.core.planner.chains;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.testing.GangBuilder.gang;
import static io.slotwise.testing.PlanBuilder.NOW;
import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.planner.advice.Quoter;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.testing.PlanChecker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChainsTest {
    private static final Policy POLICY = policy(3600, 0);
    private static final GangId A = id("a");
    private static final GangId B = id("b");
    private static final GangId C = id("c");

    private static GangId id(String name) {
        return new GangId("user", name);
    }

    /** A gang of one pod that takes a whole node for 100 s. */
    private static Gang after(String name, GangId... before) {
        return gang(name, 1, 1000, 100).arrival(NOW).build().after(new Predecessors(List.of(before), 0, Map.of()));
    }

    private static Snapshot snapshot(Cluster cluster, Gang... gangs) {
        return new Snapshot(
                NOW,
                cluster,
                Stream.of(gangs).map(one -> new Request(one, null)).toList(),
                List.of());
    }

    private static Cluster nodes(int count) {
        return new Cluster(
                Stream.iterate(1, i -> i + 1)
                        .limit(count)
                        .map(i -> oneCore("n" + i, 1_000_000))
                        .toList(),
                List.of());
    }

    private static Plan plan(Snapshot snapshot) {
        return plan(snapshot, POLICY);
    }

    private static Plan plan(Snapshot snapshot, Policy policy) {
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        return plan;
    }

    private static Window window(Plan plan, GangId gang) {
        return plan.windows().stream()
                .filter(planned -> planned.gang().id().equals(gang))
                .map(Planned::window)
                .findFirst()
                .orElseThrow();
    }

    private static long start(Plan plan, GangId gang) {
        return window(plan, gang).start() - NOW;
    }

    /** The snapshot after a plan, this many seconds later. */
    private static Snapshot later(Snapshot before, Plan plan, long seconds) {
        return before.published(plan).from(NOW + seconds);
    }

    /** The snapshot in which a planned gang runs, with its expected end. */
    private static Snapshot running(Snapshot before, Plan plan, GangId gang, long end) {
        Window window = window(plan, gang);
        List<Occupation> load = Stream.concat(
                        before.cluster().occupations().stream(),
                        window.placements().stream()
                                .map(placement -> new Occupation(
                                        "user/" + placement.pod(),
                                        placement.node(),
                                        Resources.of(Map.of(Resources.CPU, 1000L)),
                                        new Interval(window.start(), NOW + end),
                                        NOW + end > window.end())))
                .toList();
        return new Snapshot(
                        before.now(),
                        new Cluster(before.cluster().inventory(), load),
                        before.requests().stream()
                                .filter(request -> !request.gang().id().equals(gang))
                                .toList(),
                        List.of())
                .ending(new GangEnds(Map.of(gang, NOW + end), Map.of()));
    }

    @Test
    void aWholeChainIsPromisedAtOnceWhateverTheOrderOfArrival() {
        Snapshot snapshot = snapshot(nodes(3), after("c", B), after("a"), after("b", A));

        Plan plan = plan(snapshot);

        assertThat(List.of(start(plan, A), start(plan, B), start(plan, C))).containsExactly(0L, 100L, 200L);
    }

    @Test
    void aGangWaitsForAllItsPredecessorsAndDelaysNoOthers() {
        Gang longer = gang("b", 1, 1000, 300).arrival(NOW).build();
        Snapshot snapshot = snapshot(nodes(3), after("a"), longer, after("c", A, B), after("other"));

        Plan plan = plan(snapshot);

        assertThat(start(plan, C)).isEqualTo(300);
        assertThat(start(plan, id("other"))).isZero();
    }

    @Test
    void aDelayOfTheFirstMovesTheOthersWithItsCause() {
        Snapshot first = snapshot(nodes(3), after("a"), after("b", A), after("c", B));
        Plan before = plan(first);
        Snapshot late = running(later(first, before, 50), before, A, 160);

        Plan plan = plan(late);

        assertThat(List.of(start(plan, B), start(plan, C))).containsExactly(160L, 260L);
        assertThat(plan.broken())
                .extracting(BrokenPromise::gang, BrokenPromise::cause, BrokenPromise::message)
                .containsExactly(
                        tuple(B, Cause.CHAIN, "it starts after user/a, which ends at 2030-01-01T00:02:40Z"),
                        tuple(C, Cause.CHAIN, "it starts after user/b, which ends at 2030-01-01T00:04:20Z"));
        assertThat(plan.broken().getFirst().asSeen(_ -> false).message())
                .isEqualTo("it starts after a gang of another namespace, which ends at 2030-01-01T00:02:40Z");
    }

    @Test
    void aPromiseAfterTheDelayHolds() {
        Gang last = after("c", B).startingFrom(NOW + 400);
        Snapshot first = snapshot(nodes(3), after("a"), after("b", A), last);
        Plan before = plan(first);

        Plan plan = plan(running(later(first, before, 50), before, A, 160));

        assertThat(plan.broken()).extracting(BrokenPromise::gang).containsExactly(B);
        assertThat(start(plan, C)).isEqualTo(400);
    }

    @Test
    void anEarlyEndPullsTheOthersForward() {
        Snapshot first = snapshot(nodes(3), after("a"), after("b", A), after("c", B));
        Plan before = plan(first);

        Plan plan = plan(running(later(first, before, 50), before, A, 60));

        assertThat(plan.broken()).isEmpty();
        assertThat(List.of(start(plan, B), start(plan, C))).containsExactly(60L, 160L);
    }

    @Test
    void withinTheSlackOfPromisesADelayBreaksNone() {
        Policy policy = POLICY.withSlack(new PromiseSlack(0, 0, 60));
        Snapshot first = snapshot(nodes(3), after("a"), after("b", A), after("c", B));
        Plan before = plan(first, policy);

        Plan plan = plan(running(later(first, before, 50), before, A, 130), policy);

        assertThat(plan.broken()).isEmpty();
        assertThat(List.of(start(plan, B), start(plan, C))).containsExactly(130L, 230L);
        assertThat(plan.windows())
                .allSatisfy(planned -> assertThat(planned.bound()).isNotNull());
    }

    @Test
    void aGangThatReplacesItsNodeInTimeMovesNoSuccessor() {
        Gang first = after("a").startingFrom(NOW + 50);
        Snapshot whole = snapshot(nodes(2), first, after("b", A).startingFrom(NOW + 200));
        Plan before = plan(whole);
        Snapshot promised = later(whole, before, 10);
        String lost = window(before, A).placements().getFirst().node();
        Snapshot less = new Snapshot(
                promised.now(),
                new Cluster(
                        whole.cluster().inventory().stream()
                                .filter(node -> !node.name().equals(lost))
                                .toList(),
                        List.of()),
                promised.requests(),
                List.of());

        Plan plan = plan(less);

        assertThat(plan.broken())
                .filteredOn(broken -> broken.cause() == Cause.CHAIN)
                .isEmpty();
        assertThat(start(plan, A)).isEqualTo(50);
    }

    @Test
    void aGangThatBecomesLateMovesItsSuccessors() {
        Snapshot whole = snapshot(nodes(2), after("a"), after("b", A), after("c", B));
        Plan before = plan(whole);
        Snapshot promised = later(whole, before, 0);
        // The node of the first gang is gone, and the other node is taken until all would be over.
        String lost = window(before, A).placements().getFirst().node();
        List<Node> left = whole.cluster().inventory().stream()
                .filter(node -> !node.name().equals(lost))
                .toList();
        Snapshot less = new Snapshot(
                NOW,
                new Cluster(
                        left,
                        List.of(new Occupation(
                                "other/p",
                                left.getFirst().name(),
                                Resources.of(Map.of(Resources.CPU, 1000L)),
                                new Interval(NOW, NOW + 70)))),
                promised.requests(),
                List.of());

        Plan plan = plan(less);

        assertThat(List.of(start(plan, A), start(plan, B), start(plan, C))).containsExactly(70L, 170L, 270L);
        assertThat(plan.broken()).extracting(BrokenPromise::gang).containsExactly(A, B, C);
    }

    @Test
    void aCircleIsRefusedByItsOwnNamesAndTheOthersArePlanned() {
        Snapshot snapshot = snapshot(
                nodes(3), after("a", B), after("b", A), after("c", B), after("self", id("self")), after("free"));

        Plan plan = plan(snapshot);

        assertThat(plan.pending())
                .containsExactly(
                        new Pending(A, new Refusal.AfterCircle(B)),
                        new Pending(B, new Refusal.AfterCircle(A)),
                        new Pending(C, new Refusal.AfterPending(B)),
                        new Pending(id("self"), new Refusal.AfterCircle(id("self"))));
        assertThat(start(plan, id("free"))).isZero();
        assertThat(plan.pending().getFirst().refusal().message())
                .isEqualTo("it starts after user/b, which starts after it: expected no circle");
    }

    @Test
    void aMissingGangIsAReason() {
        Plan plan = plan(snapshot(nodes(1), after("b", A), after("c", B)));

        assertThat(plan.pending())
                .containsExactly(
                        new Pending(B, new Refusal.AfterMissing(A)), new Pending(C, new Refusal.AfterPending(B)));
    }

    @Test
    void whetherAGangOfAnotherNamespaceIsThereShowsOnlyWhereThatAdmitsIt() {
        GangId secret = new GangId("secret", "a");
        Gang theirs = gang("a", 1, 1000, 100).namespace("secret").arrival(NOW).build();
        Snapshot there = snapshot(nodes(3), theirs, after("b", secret));
        Snapshot missing = snapshot(nodes(3), after("b", secret));

        Plan hidden = plan(there);
        Plan without = plan(missing);
        Plan admitted = plan(there.ending(new GangEnds(Map.of(), Map.of("secret", Set.of("user")))));

        assertThat(hidden.pending()).isEqualTo(without.pending());
        assertThat(hidden.pending()).containsExactly(new Pending(B, new Refusal.AfterMissing(secret)));
        assertThat(start(admitted, B)).isEqualTo(100);
        // A completed gang shows as little.
        assertThat(plan(missing.ending(new GangEnds(Map.of(secret, NOW), Map.of())))
                        .pending())
                .isEqualTo(hidden.pending());
    }

    @Test
    void completedPredecessorsDelayNoGangEvenIfOnlyTheGangRemembersThem() {
        Snapshot ended = snapshot(nodes(1), after("b", A)).ending(new GangEnds(Map.of(A, NOW - 10), Map.of()));
        Gang remembering = after("b", A);
        Snapshot remembered =
                snapshot(nodes(1), remembering.after(remembering.after().remembering(Map.of(A, NOW - 500))));

        assertThat(start(plan(ended), B)).isZero();
        assertThat(start(plan(remembered), B)).isZero();
    }

    @Test
    void aSuccessorOfAGangWithoutAWindowWaitsAndLosesItsPromise() {
        Snapshot first = snapshot(nodes(2), after("a").startingFrom(NOW + 10), after("b", A));
        Plan before = plan(first);
        Snapshot promised = first.published(before);
        List<Request> poorer = promised.requests().stream()
                .map(request -> request.gang().id().equals(A)
                        ? request.withGang(request.gang().paying(new Budget(Money.ZERO, null)))
                        : request)
                .toList();

        Plan plan = plan(promised.withRequests(poorer));

        assertThat(plan.pending())
                .extracting(Pending::gang, pending -> pending.refusal().key())
                .containsExactly(tuple(A, "over-budget"), tuple(B, "after-pending"));
        assertThat(plan.broken())
                .extracting(BrokenPromise::gang, BrokenPromise::cause)
                .containsExactly(tuple(A, Cause.EDITED), tuple(B, Cause.CHAIN));
    }

    @Test
    void aDeletedPredecessorThatNeverRanBreaksThePromise() {
        Snapshot first = snapshot(nodes(2), after("a"), after("b", A));
        Snapshot promised = first.published(plan(first));
        List<Request> left = promised.requests().stream()
                .filter(request -> !request.gang().id().equals(A))
                .toList();

        Plan plan = plan(promised.withRequests(left));

        assertThat(plan.pending()).containsExactly(new Pending(B, new Refusal.AfterMissing(A)));
        assertThat(plan.broken())
                .extracting(BrokenPromise::gang, BrokenPromise::cause)
                .containsExactly(tuple(B, Cause.CHAIN));
    }

    @Test
    void aTransferTakesAsLongAsTheSlowestDomainThatMayBeChosen() {
        Cluster cluster = new Cluster(
                List.of(inZone("n1", "fast", 80), inZone("n2", "slow", 8), inZone("n3", "unknown", Node.UNKNOWN)),
                List.of());
        Gang moving = after("b", A);
        Gang anywhere = moving.after(moving.after().moving(20));
        Snapshot snapshot = snapshot(cluster, after("a"), anywhere);

        Plan plan = plan(snapshot);
        Plan small = plan(snapshot(cluster, after("a"), moving));

        assertThat(start(plan, B)).isEqualTo(100 + 20);
        assertThat(start(small, B)).isEqualTo(100);
    }

    private static Node inZone(String name, String zone, long bandwidth) {
        return new Node(
                        name,
                        Map.of(Policy.EXACT.online().domainKey(), zone),
                        List.of(),
                        true,
                        Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 9L)),
                        Performance.REFERENCE,
                        "o",
                        StepFunction.constant(1_000_000),
                        List.of())
                .withBandwidth(bandwidth);
    }

    @Test
    void noGangDisplacesItsPredecessor() {
        Gang urgent = gang("b", 1, 1000, 100)
                .arrival(NOW)
                .priority(9)
                .build()
                .after(new Predecessors(List.of(A), 0, Map.of()));
        Policy policy = POLICY.withPreemption(Policy.Preempting.RUNNING);
        Snapshot snapshot = snapshot(nodes(1), after("a"), after("other"), urgent);

        Plan plan = plan(snapshot, policy);

        assertThat(start(plan, A)).isZero();
        assertThat(start(plan, B)).isEqualTo(100);
    }

    @Test
    void aQuoteBeginsAfterThePredecessorsPromises() {
        Snapshot first = snapshot(nodes(2), after("a"), after("b", A));
        Snapshot promised = first.published(plan(first));

        Quoter.Quote quote = new Quoter(POLICY).quote(promised, after("new", B));
        Quoter.Quote none = new Quoter(POLICY).quote(promised, after("new", id("nobody")));

        assertThat(quote.menu().getFirst().start()).isEqualTo(NOW + 200);
        assertThat(none.menu()).isEmpty();
        assertThat(none.refusal()).isEqualTo(new Refusal.AfterMissing(id("nobody")));
    }

    @Test
    void aChainLongerThanTheHorizonIsPlannedAsFarAsItGoes() {
        Policy policy = policy(250, 0);
        Snapshot snapshot = snapshot(nodes(1), after("a"), after("b", A), after("c", B));

        Plan plan = plan(snapshot, policy);

        assertThat(start(plan, B)).isEqualTo(100);
        assertThat(plan.pending()).containsExactly(new Pending(C, new Refusal.EndsBeyondHorizon(NOW + 200, 100, 250)));
    }

    @Test
    void aChainOfThousandsNeedsNoDeepStack() {
        Gang[] gangs = Stream.iterate(0, i -> i + 1)
                .limit(3000)
                .map(i -> i == 0 ? after("g0", id("g2999")) : after("g" + i, id("g" + (i - 1))))
                .toArray(Gang[]::new);

        Plan plan = plan(snapshot(nodes(1), gangs));

        assertThat(plan.pending())
                .hasSize(3000)
                .allSatisfy(pending -> assertThat(pending.refusal()).isInstanceOf(Refusal.AfterCircle.class));
    }
}
