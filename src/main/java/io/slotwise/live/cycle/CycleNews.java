package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NoticeFilter;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells people of what a cycle has changed, once that is durable, and counts it. What was written without an answer is
 * told when it is known. Safe for threads.
 */
final class CycleNews {
    private static final Logger LOG = Logger.getLogger(PlanPublisher.class);

    private final EventRecorder announcer;
    private final MetricsRecorder recorder;
    private final NoticeFilter notices = new NoticeFilter();
    /** What was to be told of gangs whose records were not written, as far as the API server has answered. */
    private final Map<GangId, Untold> untold = new ConcurrentHashMap<>();
    /** When the last cycle began, seconds since the epoch. */
    private volatile long now;

    /**
     * What was to be told once a record is written.
     *
     * @param snapshot that it was planned from
     */
    private record Untold(RecordUpdate draft, Snapshot snapshot) {
        /** Whether the record was written all the same, or its new window was before another write came. */
        boolean isDurable(GangRecord standing) {
            GangRecord wanted = draft.after();
            return standing.standsAs(wanted)
                    || (standing.phase() == Phase.PROMISED
                            && standing.promise() != null
                            && standing.hasWindowOf(wanted)
                            && !standing.hasWindowOf(draft.before()));
        }
    }

    CycleNews(EventRecorder announcer, MetricsRecorder recorder) {
        this.announcer = announcer;
        this.recorder = recorder;
    }

    /** A cycle begins at this second. */
    void begin(long second) {
        now = second;
    }

    /** What this replica told is no news to another one. */
    void forget() {
        notices.forget();
    }

    /** The record may have been written all the same: what is to be told of it waits. */
    void leave(RecordUpdate draft, Snapshot snapshot) {
        untold.put(draft.before().gang(), new Untold(draft, snapshot));
    }

    /**
     * Finds out what became of all that was written before, and tells of what was written without an answer: nobody
     * else would.
     *
     * @param known the record of a gang as it is known now; null: there is none
     * @return whether all of it is known now
     */
    boolean catchUp(RecordStore registry, Function<GangId, @Nullable GangRecord> known) {
        // What is noted from here on was not asked for.
        List<GangId> unanswered = List.copyOf(untold.keySet());
        if (!registry.catchUp()) {
            return false;
        }
        for (GangId gang : unanswered) {
            Untold late = untold.remove(gang);
            GangRecord standing = known.apply(gang);
            if (late != null && standing != null && late.isDurable(standing)) {
                PlanningErrors.aside("what was written of " + gang, () -> {
                    count(late.draft(), standing, late.snapshot());
                    tell(late.draft(), standing, false);
                });
            }
        }
        return true;
    }

    /** What gangs were told, for a cycle that begins at this second. */
    PlanOutcomes.News known(ReasonRefresh refresh, long second) {
        return new PlanOutcomes.News() {
            @Override
            public boolean isNew(GangRecord record, Announcement announcement) {
                return notices.isNew(record, announcement, second);
            }

            @Override
            public boolean isDue(GangRecord record) {
                return refresh.isDue(record.gang(), second);
            }
        };
    }

    /** Tells those of a cycle's notices that are news. */
    void tell(List<Notice> all, long now) {
        notices.fresh(all, now).forEach(notice -> {
            InternalFailure bug = notice.bug();
            if (bug != null) {
                LOG.errorf(
                        "%s %s: %s is %s",
                        notice.kind(),
                        notice.namespace().isEmpty() ? notice.name() : notice.namespace() + "/" + notice.name(),
                        bug,
                        bug.words());
            }
            announcer.notice(notice);
        });
    }

    /** Tells this of a gang if it is news. */
    void tell(GangRecord standing, Announcement announcement, long second) {
        if (notices.tell(standing, announcement, second)) {
            announcer.announce(standing, announcement);
        }
    }

    /** The window of a gang that starts at once need not be told: the start is. */
    void tell(RecordUpdate draft, GangRecord standing, boolean starts) {
        for (Announcement announcement : draft.announcements()) {
            if ((starts && announcement.reason() == EventRecorder.Reason.WINDOW_PROMISED)
                    || !notices.tell(standing, announcement, now)) {
                continue;
            }
            LOG.infof("%s %s: %s", draft.before().gang(), announcement.reason().key(), announcement.message());
            announcer.announce(standing, announcement);
        }
    }

    /** Counts what has become of a gang. */
    void count(RecordUpdate draft, GangRecord standing, Snapshot snapshot) {
        draft.broken().forEach(recorder::broken);
        if (draft.promised()) {
            recorder.promised(standing);
            notices.forget(standing);
        }
        Move moved = draft.moved();
        if (moved != null) {
            recorder.moved(moved);
        }
        if (draft.started()) {
            recorder.started(standing, snapshot.cluster());
        }
        if (draft.heldToItsEnd()) {
            recorder.held(standing, snapshot.cluster());
        }
    }
}
