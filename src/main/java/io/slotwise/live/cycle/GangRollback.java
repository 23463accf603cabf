package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RecordStore.Outcome;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Rolls back a gang after its barrier opened. Writes to the unbound members first, so that no scheduler binds them by
 * outdated state, then sets the record to {@code Pending}, then evicts the bound members. Members that another
 * scheduler bound elsewhere are left alone. Every replica does this at once for its own bindings, without waiting for a
 * cycle.
 */
public final class GangRollback {
    private static final Logger LOG = Logger.getLogger(GangRollback.class);
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    /** The time for which a silent API server is asked for the record. The leader's next cycles finish the rest. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final ClusterView view;
    private final RecordStore records;
    private final PodReleaser releaser;
    private final EventRecorder events;
    private final MetricsRecorder recorder;
    private final Consumer<Duration> pause;

    /** Creates a rollback that waits for the API server with {@code pause}. */
    public GangRollback(
            InstantSource clock,
            ClusterView view,
            RecordStore records,
            PodReleaser releaser,
            EventRecorder events,
            MetricsRecorder recorder,
            Consumer<Duration> pause) {
        this.clock = clock;
        this.view = view;
        this.records = records;
        this.releaser = releaser;
        this.events = events;
        this.recorder = recorder;
        this.pause = pause;
    }

    /**
     * Rolls back a gang of which a pod could not be bound, whatever else is being written about it. A write that was
     * refused or not answered is only repeated on a newly read record. A gang that has another window by then has been
     * rolled back already.
     */
    public void takeBack(GangRecord startedRecord, String reason) {
        GangId gang = startedRecord.gang();
        LastRefusal refusal = new LastRefusal(LastRefusal.By.API_SERVER, List.of(), 1, reason);
        GangRecord record = known(startedRecord);
        Window window = windowOf(startedRecord);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (record == null || window == null || !window.equals(windowOf(record))) {
                return;
            }
            List<Member> members = view.members(record);
            // The previous leader's binding may be in flight; it then names an outdated version of the pod.
            releaser.recall(gang, window.pods());
            RecordUpdate update = new RecordUpdate(record);
            update.refuse(refusal, clock.instant().getEpochSecond());
            Outcome outcome = records.write(record, update.after());
            releaser.evict(gang, GangLifecycle.inTheirPlaces(window, members));
            if (outcome instanceof Outcome.Refused refused) {
                LOG.warnf(
                        "%s could not be rolled back: the API server refuses its record: %s", gang, refused.message());
                return;
            }
            GangRecord existingRecord = outcome instanceof Outcome.Written written ? written.record() : null;
            if (existingRecord == null) {
                if (!isReadAnew(gang)) {
                    LOG.errorf("%s could not be rolled back: its record could not be read for %s", gang, PATIENCE);
                    return;
                }
                record = known(startedRecord);
                // Written, but the answer was lost.
                existingRecord = record != null && record.standsAs(update.after()) ? record : null;
            }
            if (existingRecord != null) {
                GangRecord toldRecord = existingRecord;
                recorder.broken(Cause.REFUSED);
                update.announcements().forEach(announcement -> events.announce(toldRecord, announcement));
                LOG.warnf("%s rolled back: %s", gang, reason);
                return;
            }
        }
        LOG.errorf("%s could not be rolled back: its record keeps changing", gang);
    }

    /**
     * Returns the known record of a gang that was about to run. Without a bound pod its written record does not contain
     * the start. Null if it was rolled back before.
     */
    private @Nullable GangRecord known(GangRecord startedRecord) {
        GangRecord existingRecord = view.record(startedRecord.gang());
        if (existingRecord == null) {
            return startedRecord.version().isEmpty() ? startedRecord : null;
        }
        return !existingRecord.phase().started() && existingRecord.isOpenFor(startedRecord)
                ? startedRecord.withVersion(existingRecord.version()).withUid(existingRecord.uid())
                : existingRecord;
    }

    private static @Nullable Window windowOf(@Nullable GangRecord record) {
        return record == null || record.promise() == null
                ? null
                : record.promise().window();
    }

    /** Returns whether the current record was read. Tries for a while. */
    private boolean isReadAnew(GangId gang) {
        Duration waited = Duration.ZERO;
        Duration next = FIRST_PAUSE;
        while (!records.catchUp(gang)) {
            if (waited.compareTo(PATIENCE) >= 0) {
                return false;
            }
            pause.accept(next);
            waited = waited.plus(next);
            next = next.multipliedBy(2);
        }
        return true;
    }

    /** The pause of a rollback in a program. */
    public static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
