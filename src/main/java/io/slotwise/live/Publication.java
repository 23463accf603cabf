package io.slotwise.live;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.Window;
import io.slotwise.live.Announcer.Announcement;
import io.slotwise.live.ClusterView.Notice;
import io.slotwise.live.Registry.Outcome;
import io.slotwise.live.WriteOrder.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Writes what a cycle changed, as many gangs at once as {@link WriteOrder} allows, and tells people of each change after it is
 * durable. What depends on a write that failed is not written; it is planned again.
 */
public final class Publication {
    private static final Logger LOG = Logger.getLogger(Publication.class);

    private final Registry registry;
    private final Announcer announcer;
    private final Gatekeeper gatekeeper;
    private final Recorder recorder;
    private final Executor writers;
    private final long turnover;
    private final Set<Notice> told = new HashSet<>();

    /**
     * A publication.
     *
     * @param writers runs one task for each gang that changed
     * @param turnover kept free between two uses of one room, seconds
     */
    public Publication(
            Registry registry,
            Announcer announcer,
            Gatekeeper gatekeeper,
            Recorder recorder,
            Executor writers,
            long turnover) {
        this.registry = registry;
        this.announcer = announcer;
        this.gatekeeper = gatekeeper;
        this.recorder = recorder;
        this.writers = writers;
        this.turnover = turnover;
    }

    /** Writes every draft that changed and returns when all writes have ended. */
    void publish(Collection<Draft> drafts, Snapshot snapshot, Instant began) {
        AtomicInteger written = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<CompletableFuture<Optional<Standing>>> writes = new ArrayList<>();
        for (Step step : WriteOrder.of(drafts, turnover)) {
            List<CompletableFuture<Optional<Standing>>> first =
                    step.after().stream().map(writes::get).toList();
            writes.add(CompletableFuture.allOf(first.toArray(CompletableFuture[]::new))
                    .thenApplyAsync(
                            done -> {
                                boolean possible = first.stream()
                                        .allMatch(write -> write.join().isPresent());
                                Optional<Standing> now = possible ? write(step, first, snapshot) : Optional.empty();
                                (now.isEmpty() ? failed : written).incrementAndGet();
                                return now;
                            },
                            writers));
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

    /** Writes one step; empty: it was not written. */
    private Optional<Standing> write(Step step, List<CompletableFuture<Optional<Standing>>> first, Snapshot snapshot) {
        Draft draft = step.draft();
        Standing before = first.stream()
                .flatMap(write -> write.join().stream())
                .filter(standing -> standing.gang().equals(draft.before().gang()))
                .findFirst()
                .orElse(draft.before());
        if (step.withdrawn()) {
            return registry.write(before, before.with((Promise) null).in(Phase.PENDING)) instanceof Outcome.Written done
                    ? Optional.of(done.standing())
                    : Optional.empty();
        }
        Outcome outcome = draft.gone() ? registry.delete(before) : registry.write(before, draft.after());
        return switch (outcome) {
            case Outcome.Written done -> {
                finish(draft, done.standing(), snapshot);
                yield Optional.of(done.standing());
            }
            case Outcome.Conflict _ -> Optional.empty();
            case Outcome.Failed failure -> {
                LOG.debugf("%s was not written: %s", draft.before().gang(), failure.message());
                yield Optional.empty();
            }
        };
    }

    private void finish(Draft draft, Standing standing, Snapshot snapshot) {
        count(draft, standing, snapshot);
        Window toRecall = draft.toRecall();
        if (toRecall != null) {
            gatekeeper.recall(toRecall);
        }
        if (!draft.toEvict().isEmpty()) {
            gatekeeper.evict(draft.before().gang(), draft.toEvict());
        }
        for (Announcement announcement : draft.announcements()) {
            LOG.infof("%s %s: %s", draft.before().gang(), announcement.reason().key(), announcement.message());
            announcer.announce(standing, announcement);
        }
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
