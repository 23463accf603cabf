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
 * Announces and counts the changes of a cycle once they are durable. A change whose write was not answered is announced
 * when its outcome is known. Thread-safe.
 */
final class CycleNews {
    private static final Logger LOG = Logger.getLogger(PlanPublisher.class);

    private final EventRecorder events;
    private final MetricsRecorder recorder;
    private final NoticeFilter notices = new NoticeFilter();
    /** The gangs whose records, as far as the API server has answered, were not written. */
    private final Map<GangId, Unreported> unreported = new ConcurrentHashMap<>();
    /** The start of the last cycle, seconds since the epoch. */
    private volatile long now;

    /** An update that is announced if its write turns out to be durable. */
    private record Unreported(RecordUpdate update, Snapshot snapshot) {
        /** Returns whether the record was written after all, even if another write followed that of its new window. */
        boolean isDurable(GangRecord record) {
            GangRecord wantedRecord = update.after();
            return record.standsAs(wantedRecord)
                    || ((record.phase() == Phase.PROMISED || record.phase() == Phase.STARTING)
                            && record.promise() != null
                            && record.hasWindowOf(wantedRecord)
                            && !record.hasWindowOf(update.before()));
        }
    }

    CycleNews(EventRecorder events, MetricsRecorder recorder) {
        this.events = events;
        this.recorder = recorder;
    }

    void begin(long second) {
        now = second;
    }

    /** Another replica does not know these announcements. */
    void forget() {
        notices.forget();
    }

    /** Postpones the announcements of an update whose write may have succeeded. */
    void leave(RecordUpdate update, Snapshot snapshot) {
        unreported.put(update.before().gang(), new Unreported(update, snapshot));
    }

    /**
     * Finds out the outcome of all earlier writes, and announces those that were written without an answer: no other
     * replica would.
     *
     * @param known returns the current record of a gang; null if there is none
     * @return whether all outcomes are known now
     */
    boolean catchUp(RecordStore records, Function<GangId, @Nullable GangRecord> known) {
        // The catch-up does not cover updates that are added from here on.
        List<GangId> unanswered = List.copyOf(unreported.keySet());
        if (!records.catchUp()) {
            return false;
        }
        for (GangId gang : unanswered) {
            Unreported late = unreported.remove(gang);
            GangRecord record = known.apply(gang);
            if (late != null && record != null && late.isDurable(record)) {
                PlanningErrors.aside("what was written of " + gang, () -> {
                    count(late.update(), record, late.snapshot());
                    tell(late.update(), record);
                });
            }
        }
        return true;
    }

    /** Returns what gangs were told before this second. */
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
        events.show(all);
    }

    /** Announces an event of a gang if it is new. */
    void tell(GangRecord record, Announcement announcement, long second) {
        if (notices.tell(record, announcement, second)) {
            events.announce(record, announcement);
        }
    }

    /** Announces an update. The promise of a gang that starts at once is left out, because its start is announced. */
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
