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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Three gangs of two pods that would start in one second, of which two are to be held back. */
class RushTest {
    private static final long START = 1000;

    private final List<Gang> gangs = List.of(gang("a"), gang("b"), gang("c"));
    private final Rush rush = new Rush(2);

    @Test
    void eachIsHeldBackToASecondOfItsOwn() {
        assertThat(rush.holdBack(allPlanned(), Map.of())).isTrue();

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 2);
    }

    @Test
    void nobodyIsHeldBackBeyondItsPromise() {
        rush.holdBack(allPlanned(), Map.of(gangs.get(2).id(), START + 1));

        assertThat(earliestStarts()).containsExactly(Long.MIN_VALUE, START + 1, START + 1);
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
