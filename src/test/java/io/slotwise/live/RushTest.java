package io.slotwise.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.Via;
import io.slotwise.core.window.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Three gangs of two pods that would start in one second. */
class RushTest {
    private static final long START = 1000;
    private static final Duration POD = Duration.ofSeconds(1);
    private static final Duration HEAD_START = Duration.ofSeconds(10);

    private final List<Gang> gangs = List.of(gang("a"), gang("b"), gang("c"));
    private Rush rush = rush(Duration.ofMillis(1), HEAD_START, 2, HEAD_START);

    /** With the time from the first pod's way to the start. */
    private static Rush rush(Duration perPod, Duration headStart, int mostPerSecond, Duration before) {
        return new Rush(
                new Throughput(perPod, headStart, mostPerSecond),
                Instant.ofEpochSecond(START).minus(before));
    }

    @Test
    void noMoreAreBoundInOneSecondThanCanBe() {
        assertThat(rush.holdBack(allPlanned(), Map.of())).isTrue();

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 2);
    }

    @Test
    void whoeverHasTimeToComeEarlyStartsInOneSecond() {
        rush = rush(POD, HEAD_START, 6, Duration.ofSeconds(6));

        assertThat(rush.holdBack(allPlanned(), Map.of())).isFalse();
        assertThat(earliestStarts()).containsOnly(Long.MIN_VALUE);
    }

    @Test
    void eachPodTakesTheTimeOfItsWay() {
        rush = rush(POD, HEAD_START, 6, Duration.ofSeconds(3));

        rush.holdBack(allPlanned(), Map.of());

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 3);
    }

    @Test
    void noMoreTimeIsSavedThanAHeadStart() {
        rush = rush(POD, Duration.ofSeconds(4), 6, Duration.ofSeconds(100));

        rush.holdBack(allPlanned(), Map.of());

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, Long.MIN_VALUE, START + 2);
    }

    @Test
    void aGangThatNeedsMoreThanAHeadStartTakesAWholeOne() {
        rush = rush(POD, Duration.ofSeconds(1), 6, Duration.ofSeconds(1));

        rush.holdBack(allPlanned(), Map.of());

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 2, START + 4);
    }

    @Test
    void whatAPromiseNeedsIsKeptForIt() {
        rush = rush(POD, HEAD_START, 6, Duration.ofSeconds(2));
        Gang promised = gang("promised");
        List<Planned> windows = new ArrayList<>(allPlanned().windows());
        windows.add(
                new Planned(promised, new Window(promised.id(), START + 1, List.of(), Cost.ZERO), Via.CYCLIC, true));

        rush.holdBack(new Plan(START, START + 100, windows, List.of(), List.of(), List.of()), Map.of());

        assertThat(earliestStarts()).containsExactly(START + 2, START + 4, START + 6);
    }

    @Test
    void aPromiseThatIsFarOffHoldsNobodyBack() {
        rush = rush(POD, HEAD_START, 6, Duration.ofSeconds(6));
        Gang promised = gang("promised");
        List<Planned> windows = new ArrayList<>(allPlanned().windows());
        windows.add(new Planned(
                promised, new Window(promised.id(), START + 2_000_000_000, List.of(), Cost.ZERO), Via.CYCLIC, true));

        assertThat(rush.holdBack(new Plan(START, START + 100, windows, List.of(), List.of(), List.of()), Map.of()))
                .isFalse();
    }

    @Test
    void nobodyIsHeldBackBeyondItsPromise() {
        rush.holdBack(allPlanned(), Map.of(gangs.get(2).id(), START + 1));

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 1);
    }

    @Test
    void aPromiseIsNotChangedForAnEarlierStartThatSparesLessThanHalfOfTheWait() {
        GangId last = gangs.getLast().id();
        rush.holdBack(allPlanned(), Map.of(last, START + 13));
        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 13);

        rush = rush(Duration.ofMillis(1), HEAD_START, 2, HEAD_START);
        rush.holdBack(allPlanned(), Map.of(last, START + 14));
        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 2);
    }

    @Test
    void allWhoFoundNoWindowLaterAreLetGo() {
        rush.holdBack(allPlanned(), Map.of());

        assertThat(rush.letGo(onlyTheFirstPlanned())).isTrue();

        assertThat(earliestStarts()).containsOnly(Long.MIN_VALUE);
        assertThat(rush.letGo(onlyTheFirstPlanned())).isFalse();
    }

    private List<Long> earliestStarts() {
        List<Request> requests =
                gangs.stream().map(gang -> new Request(gang, null)).toList();
        Snapshot snapshot = new Snapshot(START, new Cluster(List.of(), List.of()), requests, List.of());
        return rush.apply(snapshot).requests().stream()
                .map(request -> request.gang().earliestStart())
                .toList();
    }

    private Plan allPlanned() {
        return new Plan(
                START, START + 100, gangs.stream().map(RushTest::planned).toList(), List.of(), List.of(), List.of());
    }

    private Plan onlyTheFirstPlanned() {
        List<Pending> pending = gangs.stream()
                .skip(1)
                .map(gang -> new Pending(gang.id(), new Refusal.WaitingForMembers(1, 2)))
                .toList();
        return new Plan(START, START + 100, List.of(planned(gangs.getFirst())), pending, List.of(), List.of());
    }

    private static Planned planned(Gang gang) {
        return new Planned(gang, new Window(gang.id(), START, List.of(), Cost.ZERO), Via.CYCLIC, false);
    }

    private static Gang gang(String name) {
        return FakeHost.gang(
                new GangId("user", name), List.of(name + "-0", name + "-1"), 100, Budget.UNLIMITED, Criterion.START);
    }
}
