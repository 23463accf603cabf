package io.slotwise.live;

import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.Window;
import io.slotwise.live.Announcer.Announcement;
import io.slotwise.live.ClusterView.Notice;
import io.slotwise.live.Registry.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/** Writes what a cycle changed, all gangs at once, and tells people of each change after it is durable. */
public final class Publication {
    private static final Logger LOG = Logger.getLogger(Publication.class);

    private final Registry registry;
    private final Announcer announcer;
    private final Gatekeeper gatekeeper;
    private final Recorder recorder;
    private final Executor writers;
    private final Set<Notice> told = new HashSet<>();

    /**
     * A publication.
     *
     * @param writers runs one task for each gang that changed
     */
    public Publication(
            Registry registry, Announcer announcer, Gatekeeper gatekeeper, Recorder recorder, Executor writers) {
        this.registry = registry;
        this.announcer = announcer;
        this.gatekeeper = gatekeeper;
        this.recorder = recorder;
        this.writers = writers;
    }

    /** Writes every draft that changed and returns when all writes have ended. */
    void publish(Collection<Draft> drafts, Snapshot snapshot, Instant began) {
        AtomicInteger written = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (Draft draft : drafts) {
            if (draft.changed()) {
                writes.add(CompletableFuture.runAsync(
                        () -> (publish(draft, snapshot) ? written : failed).incrementAndGet(), writers));
            }
        }
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
        if (failed.get() > 0) {
            LOG.warnf(
                    "cycle of %s: %d reservations written, %d not written; they are planned again",
                    began, written.get(), failed.get());
        } else if (written.get() > 0) {
            LOG.infof("cycle of %s: %d reservations written", began, written.get());
        }
    }

    /** Tells each notice once in the life of this replica. */
    void notices(List<Notice> notices) {
        for (Notice notice : notices) {
            if (told.add(notice)) {
                announcer.notice(notice);
            }
        }
    }

    private boolean publish(Draft draft, Snapshot snapshot) {
        Outcome outcome =
                draft.gone() ? registry.delete(draft.before()) : registry.write(draft.before(), draft.after());
        return switch (outcome) {
            case Outcome.Written done -> {
                count(draft, done.standing(), snapshot);
                Window toRecall = draft.toRecall();
                if (toRecall != null) {
                    gatekeeper.recall(toRecall);
                }
                if (!draft.toEvict().isEmpty()) {
                    gatekeeper.evict(draft.before().gang(), draft.toEvict());
                }
                for (Announcement announcement : draft.announcements()) {
                    LOG.infof(
                            "%s %s: %s",
                            draft.before().gang(), announcement.reason().key(), announcement.message());
                    announcer.announce(done.standing(), announcement);
                }
                yield true;
            }
            case Outcome.Conflict _ -> false;
            case Outcome.Failed failure -> {
                LOG.debugf("%s was not written: %s", draft.before().gang(), failure.message());
                yield false;
            }
        };
    }

    private void count(Draft draft, Standing standing, Snapshot snapshot) {
        draft.broken().forEach(recorder::broken);
        if (draft.promised()) {
            recorder.promised(standing);
        }
        if (draft.started()) {
            recorder.started(standing, snapshot.cluster());
        }
    }
}
