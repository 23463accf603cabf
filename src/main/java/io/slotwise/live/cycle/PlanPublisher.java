package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.cycle.WriteOrder.Step;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NoticeFilter;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RecordStore.Outcome;
import io.slotwise.live.port.RunHistoryStore;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.GangStarter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a cycle changed, as many gangs at once as {@link WriteOrder} allows, and tells people of each change
 * after it is durable, and of what needs no write. What depends on a write that failed is not written; it is planned
 * again. A gang whose window is now starts as soon as its own window is written.
 */
public final class PlanPublisher {
    private static final Logger LOG = Logger.getLogger(PlanPublisher.class);

    private final RecordStore registry;
    private final LedgerStore ledgers;
    private final EventRecorder announcer;
    private final PodReleaser gatekeeper;
    private final MetricsRecorder recorder;
    private final WaitExplainer explainer;
    private final GangStarter starter;
    private final Writers writers;
    private final Runnable again;
    private final WritesUnderway underway = new WritesUnderway();
    private final AtomicBoolean complained = new AtomicBoolean();
    private final NoticeFilter notices = new NoticeFilter();
    private final RunHistoryStore histories;
    /** The gangs whose windows a plan has taken away while they were being written. */
    private final Set<GangId> overtaken = ConcurrentHashMap.newKeySet();
    /** The namespaces whose past runs are being written. */
    private final Set<String> learning = ConcurrentHashMap.newKeySet();

    /**
     * The gangs whose last write was refused, or whose ledger was not written: there is no use in another cycle at
     * once.
     */
    private final Set<GangId> refused = ConcurrentHashMap.newKeySet();

    /** What was to be told of gangs whose records were not written, as far as the API server has answered. */
    private final Map<GangId, Untold> untold = new ConcurrentHashMap<>();

    /** When the last cycle began, seconds since the epoch. */
    private volatile long now;

    private final HaltedExchanges exchanges = new HaltedExchanges();
    private final OverrunEviction overruns;
    private final MoveStops stops;

    /**
     * A publication.
     *
     * @param ports what it writes to
     * @param starter of gangs whose window is now
     * @param writers run one task for each gang that changed
     * @param again asks for another cycle: something was not written
     */
    public PlanPublisher(Ports ports, GangStarter starter, Writers writers, Runnable again) {
        this.starter = starter;
        this.again = again;
        this.registry = ports.registry();
        this.ledgers = ports.ledgers();
        this.histories = ports.histories();
        this.announcer = ports.announcer();
        this.gatekeeper = ports.gatekeeper();
        this.overruns = new OverrunEviction(gatekeeper);
        this.stops = new MoveStops(gatekeeper);
        this.recorder = ports.recorder();
        this.explainer = ports.explainer();
        this.writers = writers;
    }

    /**
     * What runs the writes.
     *
     * @param awaited those for which the cycle waits: the next one begins after them
     * @param others those that may take their time
     */
    public record Writers(Executor awaited, Executor others) {
        /** All in the same way. */
        public static Writers all(Executor executor) {
            return new Writers(executor, executor);
        }
    }

    /**
     * What a publication writes to.
     *
     * @param registry standings
     * @param ledgers ledgers
     * @param announcer events
     * @param gatekeeper pods
     * @param recorder figures
     * @param explainer why pods wait
     * @param histories past runs
     */
    public record Ports(
            RecordStore registry,
            LedgerStore ledgers,
            EventRecorder announcer,
            PodReleaser gatekeeper,
            MetricsRecorder recorder,
            WaitExplainer explainer,
            RunHistoryStore histories) {
        /** Without past runs. */
        public Ports(
                RecordStore registry,
                LedgerStore ledgers,
                EventRecorder announcer,
                PodReleaser gatekeeper,
                MetricsRecorder recorder,
                WaitExplainer explainer) {
            this(registry, ledgers, announcer, gatekeeper, recorder, explainer, RunHistoryStore.NONE);
        }
    }

    /**
     * What one cycle has to write.
     *
     * @param drafts of all gangs
     * @param books the ledgers that changed
     * @param histories past runs of namespaces that changed; nothing waits for them
     * @param snapshot that the plan was made of
     * @param turnover kept free between two uses of one room, seconds
     * @param began when the cycle began
     * @param reign whether this replica still plans: one that was held up for longer than its Lease must not write what
     *     it had planned beside what another one plans now. Writes carry its epoch, so that the cluster refuses those
     *     that are under way when it ends
     */
    record CycleChanges(
            Collection<RecordUpdate> drafts,
            List<Ledger> books,
            List<RunHistory> histories,
            Snapshot snapshot,
            long turnover,
            Instant began,
            Leadership.Reign reign) {}

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

    /**
     * Finds out what became of all that was written before, and tells of what was written without an answer: nobody
     * else would.
     *
     * @param known the record of a gang as it is known now; null: there is none
     * @return whether all of it is known now
     */
    boolean catchUp(Function<GangId, @Nullable GangRecord> known) {
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
    PlanOutcomes.News news(ReasonRefresh refresh, long second) {
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

    /** Another replica plans: what this one told is no news to it, and it asks budgets itself. */
    void forgetNotices() {
        notices.forget();
        overruns.retain(Set.of());
    }

    /** Whether a gang was to be stopped and disruption budgets have kept it, as far as this replica asked. */
    boolean isKept(GangId gang) {
        return stops.isKept(gang);
    }

    /**
     * What a gang gave up in an exchange of the last cycle that was not written to its end; empty: it did not.
     *
     * @param known the record of a gang as it is known now; null: there is none
     */
    Optional<HaltedExchanges.GivenUp> givenUp(GangRecord standing, Function<GangId, @Nullable GangRecord> known) {
        return exchanges.of(standing, known);
    }

    /** What was sent and is not answered yet. */
    WritesUnderway underway() {
        return underway;
    }

    /**
     * Writes every ledger and every draft that changed. It returns when all ledgers are written and all writes have
     * ended that give room up or wait for such a one; the others are {@link WritesUnderway}. The record of a gang that
     * has ended a run is only deleted or used again once the ledger that charges it is durable.
     */
    void publish(CycleChanges edition) {
        complained.set(false);
        now = edition.began().getEpochSecond();
        overtaken.retainAll(underway.now().keySet());
        Set<GangId> planned =
                edition.drafts().stream().map(draft -> draft.before().gang()).collect(Collectors.toSet());
        refused.removeIf(gang -> !planned.contains(gang) && !underway.now().containsKey(gang));
        overruns.retain(edition.drafts().stream()
                .filter(draft -> draft.isFrozen() || !draft.overdue().isEmpty())
                .map(draft -> draft.before().gang())
                .collect(Collectors.toSet()));
        Snapshot snapshot = edition.snapshot();
        Map<String, CompletableFuture<Boolean>> kept = new HashMap<>();
        for (Ledger ledger : edition.books()) {
            kept.put(
                    ledger.namespace(),
                    CompletableFuture.supplyAsync(
                                    () -> edition.reign().getAsBoolean() && ledgers.write(ledger), writers.awaited())
                            .exceptionally(bug -> {
                                LOG.errorf(bug, "the ledger of namespace %s could not be written", ledger.namespace());
                                return false;
                            }));
        }
        edition.histories().forEach(history -> keep(history, edition));
        AtomicInteger written = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<CompletableFuture<Optional<GangRecord>>> writes = new ArrayList<>();
        List<CompletableFuture<Optional<GangRecord>>> awaited = new ArrayList<>();
        List<Step> steps = WriteOrder.of(edition.drafts(), edition.turnover(), snapshot.accounts());
        Set<Integer> needed =
                steps.stream().flatMap(step -> step.after().stream()).collect(Collectors.toSet());
        for (Step step : steps) {
            GangId gang = step.draft().before().gang();
            if (step.isBlocked()) {
                overtaken.add(gang);
                writes.add(CompletableFuture.completedFuture(Optional.empty()));
                continue;
            }
            boolean free = step.isFree() && !needed.contains(writes.size());
            if (free) {
                underway.begin(step.draft());
            }
            List<CompletableFuture<Optional<GangRecord>>> first =
                    step.after().stream().map(writes::get).toList();
            CompletableFuture<Boolean> charged = charged(step.draft(), kept);
            CompletableFuture<Optional<GangRecord>> sent = CompletableFuture.allOf(
                            first.toArray(CompletableFuture[]::new))
                    .thenCombine(charged, (done, durable) -> durable)
                    .thenApplyAsync(
                            durable -> {
                                if (!durable) {
                                    refused.add(gang);
                                }
                                boolean possible = durable
                                        && edition.reign().getAsBoolean()
                                        && first.stream()
                                                .allMatch(write -> write.join().isPresent());
                                Optional<GangRecord> now = possible
                                        ? Isolated.get(() -> write(step, first, edition), bug -> notWritten(gang, bug))
                                        : Optional.empty();
                                if (!refused.contains(gang)) {
                                    (now.isEmpty() ? failed : written).incrementAndGet();
                                }
                                return now;
                            },
                            free ? writers.others() : writers.awaited());
            writes.add(sent);
            if (free) {
                var _ = sent.exceptionally(bug -> notWritten(gang, bug)).thenAccept(standing -> end(gang, standing));
            } else {
                awaited.add(sent);
            }
        }
        CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new)).join();
        if (exchanges.note(steps, writes.stream().map(PlanPublisher::soFar).toList(), complained.get())) {
            again.run();
        }
        CompletableFuture.allOf(kept.values().toArray(CompletableFuture[]::new)).join();
        CompletableFuture.allOf(edition.drafts().stream()
                        .filter(draft -> !draft.changed() && draft.hasErrands())
                        .map(draft -> CompletableFuture.runAsync(
                                () -> Isolated.run(
                                        () -> settle(draft, edition),
                                        bug -> notWritten(draft.before().gang(), bug)),
                                writers.awaited()))
                        .toArray(CompletableFuture[]::new))
                .join();
        var _ = CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
                .whenComplete((done, bug) -> log(edition.began(), written.get(), failed.get()));
    }

    /** What is written by now; no step of an exchange is answered later. */
    private static Optional<GangRecord> soFar(CompletableFuture<Optional<GangRecord>> write) {
        return write.getNow(Optional.empty());
    }

    /** Past runs are told again until they are known: one write of a namespace at a time is enough. */
    private void keep(RunHistory history, CycleChanges edition) {
        if (learning.add(history.namespace())) {
            writers.others().execute(() -> {
                try {
                    if (edition.reign().getAsBoolean()) {
                        histories.write(history);
                    }
                } catch (RuntimeException bug) {
                    LOG.errorf(bug, "the run history of namespace %s could not be written", history.namespace());
                } finally {
                    learning.remove(history.namespace());
                }
            });
        }
    }

    private static Optional<GangRecord> notWritten(GangId gang, Throwable bug) {
        LOG.errorf(bug, "%s could not be written", gang);
        return Optional.empty();
    }

    private void end(GangId gang, Optional<GangRecord> written) {
        underway.over(gang);
        if (overtaken.remove(gang) || (written.isEmpty() && !refused.contains(gang))) {
            again.run();
        }
    }

    private static void log(Instant began, int written, int failed) {
        if (failed > 0) {
            LOG.warnf(
                    "cycle of %s: %d reservations written, %d not written; they are planned again",
                    began, written, failed);
        } else if (written > 0) {
            LOG.infof("cycle of %s: %d reservations written", began, written);
        }
    }

    /** What needs no write. */
    private void settle(RecordUpdate draft, CycleChanges edition) {
        count(draft, draft.after(), edition.snapshot());
        finish(draft, draft.after(), edition, false);
    }

    /** Whether the ledger that the record of this gang must wait for is durable. */
    private static CompletableFuture<Boolean> charged(
            RecordUpdate draft, Map<String, CompletableFuture<Boolean>> kept) {
        CompletableFuture<Boolean> durable = CompletableFuture.completedFuture(true);
        return draft.before().phase() == Phase.COMPLETED
                        || draft.before().history().past() != null
                        || draft.awaitsLedger()
                ? kept.getOrDefault(draft.before().gang().namespace(), durable)
                : durable;
    }

    /** Tells those of a cycle's notices that are news. */
    void notices(List<Notice> all, long now) {
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

    /** Has the pods of gangs that wait say why, as it is after a cycle. */
    void explain(Collection<GangRecord> standings, long now) {
        explainer.explain(WaitExplainer.Waiting.among(standings, now));
    }

    /** Writes one step; empty: it was not written. */
    private Optional<GangRecord> write(
            Step step, List<CompletableFuture<Optional<GangRecord>>> first, CycleChanges edition) {
        RecordUpdate draft = step.draft();
        refused.remove(draft.before().gang());
        RecordStore records = registry.under(edition.reign().epoch());
        GangRecord before = first.stream()
                .flatMap(write -> write.join().stream())
                .filter(standing -> standing.gang().equals(draft.before().gang()))
                .findFirst()
                .orElse(draft.before());
        if (step.withdrawn()) {
            return records.write(before, before.with((Promise) null).withPhase(Phase.PENDING))
                            instanceof Outcome.Written done
                    ? Optional.of(done.standing())
                    : Optional.empty();
        }
        if (draft.before().phase() == Phase.RUNNING && !draft.toRecall().isEmpty()) {
            // A predecessor's binding that is still on its way names a version of the pod that is then over.
            gatekeeper.recall(before.gang(), draft.toRecall());
        }
        // Of one that gave its room up to others the record is written whole: else it would not say that it has a
        // window.
        boolean waited =
                (before.phase() == Phase.PROMISED || before.phase() == Phase.PENDING) && !before.lacksItsNextWindow();
        boolean now = waited && !draft.gone() && draft.promised() && starter.isForNow(draft.after());
        boolean direct = now && starter.goesDirect(draft.after());
        Outcome outcome = draft.gone()
                ? records.delete(before)
                : now
                        ? starter.now(
                                draft.after(),
                                edition.reign().epoch(),
                                () -> records.writeWindow(before, draft.after()))
                        : starter.unstarted(before.gang(), () -> records.write(before, draft.after()));
        return switch (outcome) {
            case Outcome.Written done -> {
                count(draft, done.standing(), edition.snapshot());
                finish(draft, done.standing(), edition, direct);
                yield Optional.of(done.standing());
            }
            case Outcome.Conflict _ -> {
                untold.put(before.gang(), new Untold(draft, edition.snapshot()));
                yield Optional.empty();
            }
            case Outcome.Refused refusal -> {
                refused.add(before.gang());
                Announcement why = new Announcement(
                        EventRecorder.Reason.WRITE_REFUSED, "the API server refuses its record: " + refusal.message());
                if (notices.tell(before, why, edition.began().getEpochSecond())) {
                    announcer.announce(before, why);
                }
                yield Optional.empty();
            }
            case Outcome.Failed failure -> {
                untold.put(before.gang(), new Untold(draft, edition.snapshot()));
                // One tells what is wrong; while the API server is away there are as many as gangs.
                if (complained.compareAndSet(false, true)) {
                    LOG.warnf("%s was not written: %s", draft.before().gang(), failure.message());
                }
                yield Optional.empty();
            }
        };
    }

    /** What is to be done besides the record, once that says so. */
    private void finish(RecordUpdate draft, GangRecord standing, CycleChanges edition, boolean starts) {
        GangId gang = draft.before().gang();
        if (!draft.toRecall().isEmpty()) {
            gatekeeper.recall(gang, draft.toRecall());
        }
        if (!draft.toEvict().isEmpty()) {
            gatekeeper.evict(gang, draft.toEvict());
        }
        stops.end(gang, draft.toStop(), edition.began().getEpochSecond())
                .forEach(what -> draft.tell(what.reason(), what.what()));
        overruns.end(gang, draft.overdue(), edition.began().getEpochSecond())
                .forEach(what -> draft.tell(what.reason(), what.what()));
        tell(draft, standing, starts);
    }

    /** The window of a gang that starts at once need not be told: the start is. */
    private void tell(RecordUpdate draft, GangRecord standing, boolean starts) {
        for (Announcement announcement : draft.announcements()) {
            if ((starts && announcement.reason() == EventRecorder.Reason.WINDOW_PROMISED)
                    || !notices.tell(standing, announcement, now)) {
                continue;
            }
            LOG.infof("%s %s: %s", draft.before().gang(), announcement.reason().key(), announcement.message());
            announcer.announce(standing, announcement);
        }
    }

    private void count(RecordUpdate draft, GangRecord standing, Snapshot snapshot) {
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
