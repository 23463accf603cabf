package io.slotwise.web.board;

import io.slotwise.core.plan.Snapshot;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.live.ClusterView;
import io.slotwise.live.CurrentSettings;
import io.slotwise.live.PlanningLoop;
import io.slotwise.live.PlanningLoop.Latest;
import io.slotwise.live.Settings;
import io.slotwise.observability.Meters;
import io.slotwise.web.board.Scene.Planner;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The board of the cluster that this replica watches. The one that plans shows what it planned last from; another one reads the cluster itself,
 * once a cycle at most.
 */
@Singleton
final class LiveBoard implements BoardSource {
    private final PlanningLoop loop;
    private final ClusterView view;
    private final CurrentSettings current;
    private final InstantSource clock;
    private final LeaseLeadership leads;
    private final Meters meters;
    private @Nullable Seen seen;

    /** A snapshot and the second in which it was read. */
    private record Seen(Snapshot snapshot, long second) {}

    LiveBoard(
            PlanningLoop loop,
            ClusterView view,
            CurrentSettings current,
            InstantSource clock,
            LeaseLeadership leads,
            Meters meters) {
        this.loop = loop;
        this.view = view;
        this.current = current;
        this.clock = clock;
        this.leads = leads;
        this.meters = meters;
    }

    @Override
    public Board board() {
        long now = clock.instant().getEpochSecond();
        if (!view.ready()) {
            return Drawing.unread(now, current.get().policy());
        }
        Latest latest = leads.getAsBoolean() ? loop.latest() : null;
        Settings settings = latest == null ? current.get() : latest.settings();
        return Drawing.of(new Scene(
                now,
                settings.policy(),
                latest == null ? read(settings, now) : latest.snapshot(),
                view.standings(),
                new Planner(
                        latest != null,
                        meters.promisesBroken(),
                        latest == null ? List.of() : latest.plan().notes())));
    }

    private synchronized Snapshot read(Settings settings, long now) {
        Seen before = seen;
        if (before != null && now < before.second() + settings.cycle()) {
            return before.snapshot();
        }
        Snapshot snapshot = view.take(settings, view.standings(), now, now).snapshot();
        seen = new Seen(snapshot, now);
        return snapshot;
    }

    @Override
    public Moment moment() {
        Instant now = clock.instant();
        return new Moment(now.toEpochMilli(), 1);
    }
}
