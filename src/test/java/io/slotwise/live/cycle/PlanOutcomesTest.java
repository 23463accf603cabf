package io.slotwise.live.cycle;

import static io.slotwise.testing.PlanBuilder.oneCore;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.reservation.ReservationAssignments;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.testing.GangBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanOutcomesTest {
    /** 2030-01-01T00:00:00Z. */
    private static final long NOW = 1_893_456_000L;

    private static final Gang GANG = GangBuilder.gang("g", 1, 1000, 100).build();
    private static final Promise PROMISE = new Promise(window(NOW + 60, "a"), WindowOrigin.CYCLIC, false);

    private final RecordUpdate update = new RecordUpdate(GangRecord.first(GANG.id(), NOW)
            .promised(PROMISE, PromiseTariff.CONSTANT)
            .withPhase(Phase.PROMISED));

    @Test
    void aWindowThatStartsSoonerIsImproved() {
        judge(window(NOW + 30, "b"));

        assertThat(update.announcements())
                .containsExactly(new Announcement(
                        Reason.WINDOW_IMPROVED,
                        "2030-01-01T00:00:30Z to 2030-01-01T00:02:10Z, 1 pod on 1 node, cost 0; before: "
                                + "2030-01-01T00:01:00Z to 2030-01-01T00:02:40Z, 1 pod on 1 node, cost 0"));
    }

    @Test
    void aWindowOnOtherNodesAtTheSameTimeIsMovedAndItsPromiseIsNotBroken() {
        judge(window(NOW + 60, "b"));

        assertThat(update.after().phase()).isEqualTo(Phase.PROMISED);
        assertThat(update.after().promise()).isEqualTo(new Promise(window(NOW + 60, "b"), WindowOrigin.CYCLIC, false));
        assertThat(update.broken()).isEmpty();
        assertThat(update.announcements())
                .containsExactly(new Announcement(
                        Reason.WINDOW_MOVED,
                        "2030-01-01T00:01:00Z to 2030-01-01T00:02:40Z, 1 pod on 1 node, cost 0; same times, "
                                + "other nodes: another gang can start sooner"));
    }

    @Test
    void aWindowThatIsLaterWithinItsPromiseIsMovedAndNotBroken() {
        PromiseBound by = new PromiseBound(NOW + 120, NOW + 220, Cost.ZERO);

        judge(new Planned(GANG, window(NOW + 90, "a"), WindowOrigin.CYCLIC, false).withBound(by));

        assertThat(update.broken()).isEmpty();
        assertThat(update.after().promise())
                .isEqualTo(new Promise(window(NOW + 90, "a"), WindowOrigin.CYCLIC, false).withPromiseBound(by));
        assertThat(update.announcements())
                .containsExactly(new Announcement(
                        Reason.WINDOW_MOVED,
                        "2030-01-01T00:01:30Z to 2030-01-01T00:03:10Z, 1 pod on 1 node, cost 0; promised by "
                                + "2030-01-01T00:02:00Z; before: 2030-01-01T00:01:00Z to "
                                + "2030-01-01T00:02:40Z, 1 pod on 1 node, cost 0; within the promise: all gangs "
                                + "together "
                                + "gain by it"));
    }

    private void judge(Window window) {
        judge(new Planned(GANG, window, WindowOrigin.CYCLIC, false));
    }

    private void judge(Planned planned) {
        Snapshot snapshot = new Snapshot(
                NOW,
                new Cluster(List.of(oneCore("a", 0), oneCore("b", 0)), List.of()),
                List.of(new Request(GANG, PROMISE)),
                List.of());
        ReservationAssignments nobody =
                ReservationAssignments.of(snapshot, ReservationNames.NONE, _ -> PromiseTariff.CONSTANT, false);
        new PlanOutcomes(NOW, new PromisedPrices(snapshot, Policy.EXACT), nobody, Currency.NONE, TestNews.ALL)
                .planned(update, planned);
    }

    private static Window window(long start, String node) {
        return Window.of(
                GANG.id(), start, List.of(new Placement("g-0", node, start, start + GANG.runtime(), Cost.ZERO)));
    }
}
