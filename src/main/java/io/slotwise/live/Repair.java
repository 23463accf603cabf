package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.window.Window;
import io.slotwise.live.Registry.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Rolls a gang back after its barrier opened: the members that are not bound are written to, so that nobody binds them by what he saw before, its
 * record goes back to {@code Pending}, then the members that are bound are
 * evicted; one that somebody else has bound elsewhere is left alone. Any replica does this at once for the binds that it holds; it does not wait for a cycle.
 */
public final class Repair {
    private static final Logger LOG = Logger.getLogger(Repair.class);
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    /** How long an API server without an answer is asked what the record says; what is left undone then is found by the leader's next cycles. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final ClusterView view;
    private final Registry registry;
    private final Gatekeeper gatekeeper;
    private final Announcer announcer;
    private final Recorder recorder;
    private final Consumer<Duration> pause;

    public Repair(
            InstantSource clock,
            ClusterView view,
            Registry registry,
            Gatekeeper gatekeeper,
            Announcer announcer,
            Recorder recorder) {
        this(clock, view, registry, gatekeeper, announcer, recorder, Repair::sleep);
    }

    /** The same with another way to wait. */
    Repair(
            InstantSource clock,
            ClusterView view,
            Registry registry,
            Gatekeeper gatekeeper,
            Announcer announcer,
            Recorder recorder,
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
     * Takes the gang back, whatever else is being written about it at this moment. A write that was refused, or not answered, is only made again over
     * a record that was read since; a gang that has another window by then has been taken back already.
     */
    public void takeBack(GangId gang, Cause cause, String reason) {
        Standing standing = view.standing(gang);
        Window window = windowOf(standing);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (standing == null || window == null || !window.equals(windowOf(standing))) {
                return;
            }
            List<Member> members = view.members(standing);
            // A predecessor's binding that is still on its way names a version of the pod that is then over.
            gatekeeper.recall(gang, window.pods());
            Draft draft = new Draft(standing);
            draft.breakPromise(cause, reason, clock.instant().getEpochSecond());
            Outcome outcome = registry.write(standing, draft.after());
            gatekeeper.evict(gang, LifeCycle.inTheirPlaces(window, members));
            if (outcome instanceof Outcome.Written written) {
                recorder.broken(cause);
                draft.announcements().forEach(what -> announcer.announce(written.standing(), what));
                LOG.warnf("%s rolled back: %s: %s", gang, cause.key(), reason);
                return;
            }
            if (!isReadAnew(gang)) {
                LOG.errorf("%s could not be rolled back: its record could not be read for %s", gang, PATIENCE);
                return;
            }
            standing = view.standing(gang);
        }
        LOG.errorf("%s could not be rolled back: its record keeps changing", gang);
    }

    private static @Nullable Window windowOf(@Nullable Standing standing) {
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
