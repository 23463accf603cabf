package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.window.Window;
import io.slotwise.live.Registry.Outcome;
import java.time.InstantSource;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Rolls a gang back after its barrier opened: the members that are not bound are written to, so that nobody binds them by what he saw before, its
 * record goes back to {@code Pending}, then the members that are bound are
 * evicted; one that somebody else has bound elsewhere is left alone. Any replica does this at once for the binds that it holds; it does not wait for a cycle.
 */
public final class Repair {
    private static final Logger LOG = Logger.getLogger(Repair.class);
    private static final int ATTEMPTS = 5;

    private final InstantSource clock;
    private final ClusterView view;
    private final Registry registry;
    private final Gatekeeper gatekeeper;
    private final Announcer announcer;
    private final Recorder recorder;

    public Repair(
            InstantSource clock,
            ClusterView view,
            Registry registry,
            Gatekeeper gatekeeper,
            Announcer announcer,
            Recorder recorder) {
        this.clock = clock;
        this.view = view;
        this.registry = registry;
        this.gatekeeper = gatekeeper;
        this.announcer = announcer;
        this.recorder = recorder;
    }

    /** Takes the gang back, whatever else is being written about it at this moment. */
    public void takeBack(GangId gang, Cause cause, String reason) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Standing standing = view.standing(gang);
            if (standing == null || standing.promise() == null) {
                return;
            }
            Window window = standing.promise().window();
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
                LOG.warnf("%s taken back: %s: %s", gang, cause.key(), reason);
                return;
            }
            // The record may be another one than is known here.
            registry.catchUp();
        }
        LOG.errorf("%s could not be taken back: its record changes all the time", gang);
    }
}
