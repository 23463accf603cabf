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
 * The board of the cluster that this replica watches. The one that plans shows what it planned last from; another one
 * reads the cluster itself, once a cycle at most.
 */
@Singleton
final class LiveBoard implements BoardSource {
    private final Replica host;
    private final CurrentSettings current;
    private final Meters meters;
    private @Nullable Seen seen;

    /** A snapshot and the second in which it was read. */
    private record Seen(Snapshot snapshot, long second) {}

    LiveBoard(Replica host, CurrentSettings current, Meters meters) {
        this.host = host;
        this.current = current;
        this.meters = meters;
    }

    @Override
    public Board board() {
        long now = host.clock().instant().getEpochSecond();
        if (!host.view().ready()) {
            return BoardRenderer.unread(now, current.get());
        }
        Latest latest = host.leads() ? host.latest() : null;
        LoopSettings settings = latest == null ? current.get() : latest.settings();
        BoardInput scene = new BoardInput(
                        now,
                        settings.policy(),
                        latest == null ? read(settings, now) : latest.snapshot(),
                        host.view().standings(),
                        new Planner(
                                latest != null,
                                meters.promises(),
                                latest == null ? List.of() : latest.carriedOut().notes()))
                .in(settings.currency());
        return BoardRenderer.of(
                latest == null ? scene : scene.pending(latest.carriedOut().pending()));
    }

    private synchronized Snapshot read(LoopSettings settings, long now) {
        Seen before = seen;
        if (before != null && now < before.second() + settings.cycle()) {
            return before.snapshot();
        }
        Snapshot snapshot =
                host.view().take(settings, host.view().standings(), now).snapshot();
        seen = new Seen(snapshot, now);
        return snapshot;
    }

    @Override
    public Moment moment() {
        return new Moment(host.clock().millis(), host.speed());
    }
}
