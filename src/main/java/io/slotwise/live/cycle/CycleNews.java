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

    private final EventRecorder events;
    private final MetricsRecorder recorder;
    private final NoticeFilter notices = new NoticeFilter();
    /** What was to be told of gangs whose records were not written, as far as the API server has answered. */
    private final Map<GangId, Unreported> unreported = new ConcurrentHashMap<>();
    /** When the last cycle began, seconds since the epoch. */
    private volatile long now;

    /**
     * What was to be told once a record is written.
     *
     * @param snapshot that it was planned from
     */
    private record Unreported(RecordUpdate update, Snapshot snapshot) {
        /** Whether the record was written all the same, or its new window was before another write came. */
        boolean isDurable(GangRecord record) {
            GangRecord wantedRecord = update.after();
            return record.standsAs(wantedRecord)
                    || (record.phase() == Phase.PROMISED
                            && record.promise() != null
                            && record.hasWindowOf(wantedRecord)
                            && !record.hasWindowOf(update.before()));
        }
    }

    CycleNews(EventRecorder events, MetricsRecorder recorder) {
        this.events = events;
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
    void leave(RecordUpdate update, Snapshot snapshot) {
        unreported.put(update.before().gang(), new Unreported(update, snapshot));
    }

    /**
     * Finds out what became of all that was written before, and tells of what was written without an answer: nobody
     * else would.
     *
     * @param known the record of a gang as it is known now; null: there is none
     * @return whether all of it is known now
     */
    boolean catchUp(RecordStore records, Function<GangId, @Nullable GangRecord> known) {
        // What is noted from here on was not asked for.
        List<GangId> unanswered = List.copyOf(unreported.keySet());
        if (!records.catchUp()) {
            return false;
        }
        for (GangId gang : unanswered) {
            Unreported lateUnreported = unreported.remove(gang);
            GangRecord record = known.apply(gang);
            if (lateUnreported != null && record != null && lateUnreported.isDurable(record)) {
                PlanningErrors.aside("what was written of " + gang, () -> {
                    count(lateUnreported.update(), record, lateUnreported.snapshot());
                    tell(lateUnreported.update(), record);
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
            InternalFailure failure = notice.failure();
            if (failure != null) {
                LOG.errorf(
                        "%s %s: %s is %s",
                        notice.kind(),
                        notice.namespace().isEmpty() ? notice.name() : notice.namespace() + "/" + notice.name(),
                        failure,
                        failure.words());
            }
            events.notice(notice);
        });
    }

    /** Tells this of a gang if it is news. */
    void tell(GangRecord record, Announcement announcement, long second) {
        if (notices.tell(record, announcement, second)) {
            events.announce(record, announcement);
        }
    }

    /** The window of a gang that starts at once need not be told: the start is. */
    void tell(RecordUpdate update, GangRecord record) {
        for (Announcement announcement : update.announcements()) {
            if ((record.phase() == Phase.RUNNING && announcement.reason() == EventRecorder.Reason.WINDOW_PROMISED)
                    || !notices.tell(record, announcement, now)) {
                continue;
            }
            LOG.infof("%s %s: %s", update.before().gang(), announcement.reason().key(), announcement.message());
            events.announce(record, announcement);
        }
    }

    /** Counts what has become of a gang. */
    void count(RecordUpdate update, GangRecord record, Snapshot snapshot) {
        update.broken().forEach(recorder::broken);
        if (update.promised()) {
            recorder.promised(record);
            notices.forget(record);
        }
        Move move = update.moved();
        if (move != null) {
            recorder.moved(move);
        }
        if (update.started()) {
            recorder.started(record, snapshot.cluster());
        }
        if (update.heldToItsEnd()) {
            recorder.held(record, snapshot.cluster());
        }
    }
}
