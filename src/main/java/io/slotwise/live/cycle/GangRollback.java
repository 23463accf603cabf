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
 * Rolls a gang back of which a binding was refused: the members that are not bound are written to, so that no scheduler
 * binds them by what it saw before, its record goes back to {@code Pending}, then the members that are bound are
 * evicted; one that another scheduler has bound elsewhere is left alone. Any replica does this at once for the binds
 * that it holds; it does not wait for a cycle.
 */
public final class GangRollback {
    private static final Logger LOG = Logger.getLogger(GangRollback.class);
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    /**
     * How long an API server without an answer is asked what the record says; what is left undone then is found by the
     * leader's next cycles.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final ClusterView view;
    private final RecordStore registry;
    private final PodReleaser gatekeeper;
    private final EventRecorder announcer;
    private final MetricsRecorder recorder;
    private final Consumer<Duration> pause;

    public GangRollback(
            InstantSource clock,
            ClusterView view,
            RecordStore registry,
            PodReleaser gatekeeper,
            EventRecorder announcer,
            MetricsRecorder recorder) {
        this(clock, view, registry, gatekeeper, announcer, recorder, GangRollback::sleep);
    }

    /** The same with another way to wait. */
    GangRollback(
            InstantSource clock,
            ClusterView view,
            RecordStore registry,
            PodReleaser gatekeeper,
            EventRecorder announcer,
            MetricsRecorder recorder,
            Consumer<Duration> pause) {
        this.clock = clock;
        this.view = view;
        this.registry = registry;
        this.gatekeeper = gatekeeper;
        this.announcer = announcer;
        this.recorder = recorder;
        this.pause = pause;
    }

    /**
     * Rolls back a gang of which a pod could not be bound, whatever else is being written about it at this moment, and
     * whether or not another one was. A write that was refused, or not answered, is only made again over a record that
     * was read since; a gang that has another window by then has been rolled back already.
     */
    public void takeBack(GangRecord started, String reason) {
        GangId gang = started.gang();
        LastRefusal refusal = new LastRefusal(LastRefusal.By.API_SERVER, List.of(), 1, reason);
        GangRecord standing = known(started);
        Window window = windowOf(started);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (standing == null || window == null || !window.equals(windowOf(standing))) {
                return;
            }
            List<Member> members = view.members(standing);
            // A predecessor's binding that is still on its way names a version of the pod that is then over.
            gatekeeper.recall(gang, window.pods());
            RecordUpdate draft = new RecordUpdate(standing);
            draft.refuse(refusal, clock.instant().getEpochSecond());
            Outcome outcome = registry.write(standing, draft.after());
            gatekeeper.evict(gang, GangLifecycle.inTheirPlaces(window, members));
            if (outcome instanceof Outcome.Refused refused) {
                LOG.warnf(
                        "%s could not be rolled back: the API server refuses its record: %s", gang, refused.message());
                return;
            }
            GangRecord there = outcome instanceof Outcome.Written written ? written.standing() : null;
            if (there == null) {
                if (!isReadAnew(gang)) {
                    LOG.errorf("%s could not be rolled back: its record could not be read for %s", gang, PATIENCE);
                    return;
                }
                standing = known(started);
                // It was written, and the answer was lost.
                there = standing != null && standing.standsAs(draft.after()) ? standing : null;
            }
            if (there != null) {
                GangRecord told = there;
                recorder.broken(Cause.REFUSED);
                draft.announcements().forEach(what -> announcer.announce(told, what));
                LOG.warnf("%s rolled back: %s", gang, reason);
                return;
            }
        }
        LOG.errorf("%s could not be rolled back: its record keeps changing", gang);
    }

    /**
     * What is known of a gang that was about to run: where no pod of it is bound its record does not say that. Null: it
     * was rolled back before.
     */
    private @Nullable GangRecord known(GangRecord started) {
        GangRecord there = view.standing(started.gang());
        if (there == null) {
            return started.version().isEmpty() ? started : null;
        }
        boolean knowsNothing = !there.phase().started()
                && there.history().attempts() == started.history().attempts()
                && (there.promise() == null || there.hasWindowOf(started));
        return knowsNothing ? started.withVersion(there.version()).withUid(there.uid()) : there;
    }

    private static @Nullable Window windowOf(@Nullable GangRecord standing) {
        return standing == null || standing.promise() == null
                ? null
                : standing.promise().window();
    }

    /** Whether the record is known as it is now; tried for a while. */
    private boolean isReadAnew(GangId gang) {
        Duration waited = Duration.ZERO;
        Duration next = FIRST_PAUSE;
        while (!registry.catchUp(gang)) {
            if (waited.compareTo(PATIENCE) >= 0) {
                return false;
            }
            pause.accept(next);
            waited = waited.plus(next);
            next = next.multipliedBy(2);
        }
        return true;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
