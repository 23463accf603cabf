package io.slotwise.web.board;

import io.slotwise.core.plan.Snapshot;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.observability.Meters;
import io.slotwise.web.board.BoardInput.Planner;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The board of the real cluster. The replica that plans shows the input of its last plan. Any other replica reads the
 * cluster itself, at most once per cycle.
 */
@Singleton
final class LiveBoard implements BoardSource {
    private final Replica replica;
    private final CurrentSettings current;
    private final Meters meters;
    private @Nullable Seen seen;

    private record Seen(Snapshot snapshot, long second) {}

    LiveBoard(Replica replica, CurrentSettings current, Meters meters) {
        this.replica = replica;
        this.current = current;
        this.meters = meters;
    }

    @Override
    public Board board() {
        long now = replica.clock().instant().getEpochSecond();
        if (!replica.view().ready()) {
            return BoardRenderer.unread(now, current.get());
        }
        Latest latest = replica.leads() ? replica.latest() : null;
        LoopSettings settings = latest == null ? current.get() : latest.settings();
        BoardInput input = new BoardInput(
                        now,
                        settings.policy(),
                        latest == null ? read(settings, now) : latest.snapshot(),
                        replica.view().records(),
                        new Planner(
                                latest != null,
                                meters.promises(),
                                latest == null
                                        ? List.of()
                                        : latest.carriedOutPlan().notes()))
                .in(settings.currency());
        return BoardRenderer.of(
                latest == null ? input : input.pending(latest.carriedOutPlan().pending()));
    }

    private synchronized Snapshot read(LoopSettings settings, long now) {
        Seen before = seen;
        if (before != null && now < before.second() + settings.cycle()) {
            return before.snapshot();
        }
        Snapshot snapshot =
                replica.view().take(settings, replica.view().records(), now).snapshot();
        seen = new Seen(snapshot, now);
        return snapshot;
    }

    @Override
    public Moment moment() {
        return new Moment(replica.clock().millis(), replica.speed());
    }
}
