package io.slotwise.live;

import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.ledger.Tariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Bound;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.Via;
import io.slotwise.core.reservation.Claims;
import io.slotwise.core.reservation.Takeovers;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.Announcer.Announcement;
import io.slotwise.live.Announcer.Reason;
import io.slotwise.testing.GangBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictsTest {
    /** 2030-01-01T00:00:00Z. */
    private static final long NOW = 1_893_456_000L;

    private static final Gang GANG = GangBuilder.gang("g", 1, 1000, 100).build();
    private static final Promise PROMISE = new Promise(window(NOW + 60, "a"), Via.CYCLIC, false);

    private final Draft draft = new Draft(
            Standing.first(GANG.id(), NOW).promised(PROMISE, Tariff.CONSTANT).in(Phase.PROMISED));

    @Test
    void aWindowThatStartsSoonerIsImproved() {
        judge(window(NOW + 30, "b"));

        assertThat(draft.announcements())
                .containsExactly(
                        new Announcement(
                                Reason.WINDOW_IMPROVED,
                                "2030-01-01T00:00:30Z to 2030-01-01T00:02:10Z, 1 pod on 1 node, cost 0; before: 2030-01-01T00:01:00Z to 2030-01-01T00:02:40Z, 1 pod on 1 node, cost 0"));
    }

    @Test
    void aWindowOnOtherNodesAtTheSameTimeIsMovedAndItsPromiseIsNotBroken() {
        judge(window(NOW + 60, "b"));

        assertThat(draft.after().phase()).isEqualTo(Phase.PROMISED);
        assertThat(draft.after().promise()).isEqualTo(new Promise(window(NOW + 60, "b"), Via.CYCLIC, false));
        assertThat(draft.broken()).isEmpty();
        assertThat(draft.announcements())
                .containsExactly(
                        new Announcement(
                                Reason.WINDOW_MOVED,
                                "2030-01-01T00:01:00Z to 2030-01-01T00:02:40Z, 1 pod on 1 node, cost 0; same times, other nodes: another gang can start sooner"));
    }

    @Test
    void aWindowThatIsLaterWithinItsPromiseIsMovedAndNotBroken() {
        Bound by = new Bound(NOW + 120, NOW + 220, Cost.ZERO);

        judge(new Planned(GANG, window(NOW + 90, "a"), Via.CYCLIC, false, by));

        assertThat(draft.broken()).isEmpty();
        assertThat(draft.after().promise()).isEqualTo(new Promise(window(NOW + 90, "a"), Via.CYCLIC, false, by));
        assertThat(draft.announcements())
                .containsExactly(
                        new Announcement(
                                Reason.WINDOW_MOVED,
                                "2030-01-01T00:01:30Z to 2030-01-01T00:03:10Z, 1 pod on 1 node, cost 0; starts at 2030-01-01T00:02:00Z at the latest; before: 2030-01-01T00:01:00Z to 2030-01-01T00:02:40Z, 1 pod on 1 node, cost 0; within the promise: all gangs together gain by it"));
    }

    private void judge(Window window) {
        judge(new Planned(GANG, window, Via.CYCLIC, false));
    }

    private void judge(Planned planned) {
        Snapshot snapshot = new Snapshot(
                NOW,
                new Cluster(List.of(oneCore("a", 0), oneCore("b", 0)), List.of()),
                List.of(new Request(GANG, PROMISE)),
                List.of());
        Takeovers nobody = Takeovers.of(snapshot, Claims.NONE, _ -> Tariff.CONSTANT, false);
        new Verdicts(NOW, new PromisedPrices(snapshot, Policy.DEFAULT), nobody, Currency.NONE, false)
                .planned(draft, planned);
    }

    private static Window window(long start, String node) {
        return Window.of(
                GANG.id(), start, List.of(new Placement("g-0", node, start, start + GANG.runtime(), Cost.ZERO)));
    }
}
