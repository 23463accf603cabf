package io.slotwise.web.board;

import io.slotwise.core.plan.Snapshot;
import io.slotwise.live.CurrentSettings;
import io.slotwise.live.Host;
import io.slotwise.live.PlanningLoop.Latest;
import io.slotwise.live.Settings;
import io.slotwise.observability.Meters;
import io.slotwise.web.board.Scene.Planner;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The board of the cluster that this replica watches. The one that plans shows what it planned last from; another one reads the cluster itself,
 * once a cycle at most.
 */
@Singleton
final class LiveBoard implements BoardSource {
    private final Host host;
    private final CurrentSettings current;
    private final Meters meters;
    private @Nullable Seen seen;

    /** A snapshot and the second in which it was read. */
    private record Seen(Snapshot snapshot, long second) {}

    LiveBoard(Host host, CurrentSettings current, Meters meters) {
        this.host = host;
        this.current = current;
        this.meters = meters;
    }

    @Override
    public Board board() {
        long now = host.clock().instant().getEpochSecond();
        if (!host.view().ready()) {
            return Drawing.unread(now, current.get().policy());
        }
        Latest latest = host.leads() ? host.latest() : null;
        Settings settings = latest == null ? current.get() : latest.settings();
        Scene scene = new Scene(
                now,
                settings.policy(),
                latest == null ? read(settings, now) : latest.snapshot(),
                host.view().standings(),
                new Planner(
                        latest != null,
                        meters.promisesBroken(),
                        Board.Starts.of(meters.starts()),
                        latest == null ? List.of() : latest.carriedOut().notes()));
        return Drawing.of(
                latest == null ? scene : scene.pending(latest.carriedOut().pending()));
    }

    private synchronized Snapshot read(Settings settings, long now) {
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
