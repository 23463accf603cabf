package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.cycle.WriteOrder.Step;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.MetricsRecorder;
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
    private static final CompletableFuture<Optional<GangRecord>> NOT_WRITTEN =
            CompletableFuture.completedFuture(Optional.empty());

    private final RecordStore registry;
    private final LedgerStore ledgers;
    private final CycleNews news;
    private final PodReleaser gatekeeper;
    private final WaitExplainer explainer;
    private final GangStarter starter;
    private final Writers writers;
    private final Runnable again;
    private final WritesUnderway underway = new WritesUnderway();
    private final AtomicBoolean complained = new AtomicBoolean();
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
        this.gatekeeper = ports.gatekeeper();
        this.overruns = new OverrunEviction(gatekeeper);
        this.stops = new MoveStops(gatekeeper);
        this.news = new CycleNews(ports.announcer(), ports.recorder());
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
     * @param known the record of a gang as it is known now; null: there is none
     */
    record CycleChanges(
            Collection<RecordUpdate> drafts,
            List<Ledger> books,
            List<RunHistory> histories,
            Snapshot snapshot,
            long turnover,
            Instant began,
            Leadership.Reign reign,
            Function<GangId, @Nullable GangRecord> known) {}

    /**
     * Finds out what became of all that was written before.
     *
     * @param known the record of a gang as it is known now; null: there is none
     * @return whether all of it is known now
     */
    boolean catchUp(Function<GangId, @Nullable GangRecord> known) {
        return news.catchUp(registry, known);
    }

    /** What is told. */
    CycleNews news() {
        return news;
    }

    /** Another replica plans: what this one told is no news to it, and it asks budgets itself. */
    void forgetNotices() {
        news.forget();
        overruns.retain(Set.of());
    }

    /** Whether a gang was to be stopped and disruption budgets have kept it, as far as this replica asked. */
    boolean isKept(GangId gang) {
        return stops.isKept(gang);
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
        news.begin(edition.began().getEpochSecond());
        overtaken.retainAll(underway.now().keySet());
        Set<GangId> planned =
                edition.drafts().stream().map(draft -> draft.before().gang()).collect(Collectors.toSet());
        refused.removeIf(gang -> !planned.contains(gang) && !underway.now().containsKey(gang));
        overruns.retain(edition.drafts().stream()
                .filter(draft -> draft.isFrozen() || !draft.overdue().isEmpty())
                .map(draft -> draft.before().gang())
                .collect(Collectors.toSet()));
        Map<String, CompletableFuture<Boolean>> kept = kept(edition);
        edition.histories().forEach(history -> keep(history, edition));
        Sending sending = new Sending(edition, kept);
        List<Step> steps = WriteOrder.of(
                edition.drafts(), edition.turnover(), edition.snapshot().accounts());
        sending.send(steps);
        endExchanges(new HaltedExchanges(steps, sending.soFar(), registry, edition.known()), edition);
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
        var _ = CompletableFuture.allOf(sending.writes.toArray(CompletableFuture[]::new))
                .whenComplete((done, bug) -> log(edition.began(), sending.written.get(), sending.failed.get()));
    }

    /** Writes the ledgers that changed; whether each is durable, by namespace. */
    private Map<String, CompletableFuture<Boolean>> kept(CycleChanges edition) {
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
        return kept;
    }

    /** The writes of one cycle's records. */
    private final class Sending {
        private final CycleChanges edition;
        private final Map<String, CompletableFuture<Boolean>> kept;
        private final AtomicInteger written = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        /** One for each step so far. */
        private final List<CompletableFuture<Optional<GangRecord>>> writes = new ArrayList<>();

        Sending(CycleChanges edition, Map<String, CompletableFuture<Boolean>> kept) {
            this.edition = edition;
            this.kept = kept;
        }

        /** Sends all steps, and waits for those that give room up or wait for such a one. */
        void send(List<Step> steps) {
            List<CompletableFuture<Optional<GangRecord>>> awaited = new ArrayList<>();
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
                CompletableFuture<Optional<GangRecord>> sent = sent(step, free ? writers.others() : writers.awaited());
                writes.add(sent);
                if (free) {
                    var _ = sent.exceptionally(bug -> notWritten(gang, bug))
                            .thenAccept(standing -> end(gang, standing));
                } else {
                    awaited.add(sent);
                }
            }
            CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new)).join();
        }

        private CompletableFuture<Optional<GangRecord>> sent(Step step, Executor executor) {
            List<CompletableFuture<Optional<GangRecord>>> first =
                    step.after().stream().map(writes::get).toList();
            return CompletableFuture.allOf(first.toArray(CompletableFuture[]::new))
                    .thenCombine(charged(step.draft(), kept), (done, durable) -> durable)
                    .thenApplyAsync(durable -> now(step, first, durable), executor)
                    .thenCompose(Function.identity());
        }

        private CompletableFuture<Optional<GangRecord>> now(
                Step step, List<CompletableFuture<Optional<GangRecord>>> first, boolean durable) {
            GangId gang = step.draft().before().gang();
            if (!durable) {
                refused.add(gang);
            }
            boolean possible = durable
                    && edition.reign().getAsBoolean()
                    && first.stream().allMatch(write -> write.join().isPresent());
            CompletableFuture<Optional<GangRecord>> now = possible
                    ? Isolated.get(
                            () -> write(step, first, edition),
                            bug -> CompletableFuture.completedFuture(notWritten(gang, bug)))
                    : NOT_WRITTEN;
            return now.thenApply(record -> {
                if (!refused.contains(gang)) {
                    (record.isEmpty() ? failed : written).incrementAndGet();
                }
                return record;
            });
        }

        /** What became of each step by now; no step of an exchange is answered later. */
        private List<Optional<GangRecord>> soFar() {
            return writes.stream().map(write -> write.getNow(Optional.empty())).toList();
        }
    }

    /** Gives windows back that were given up for nothing, or tells who has their room. */
    private void endExchanges(HaltedExchanges exchanges, CycleChanges edition) {
        for (int place : exchanges.places()) {
            again.run();
            RecordUpdate update = edition.reign().getAsBoolean()
                    ? exchanges.ended(place, !complained.get(), edition.began().getEpochSecond())
                    : null;
            if (update != null) {
                var _ = Isolated.get(
                        () -> write(new Step(update, false, List.of()), List.of(), edition)
                                .join(),
                        bug -> notWritten(update.before().gang(), bug));
            }
        }
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
        news.count(draft, draft.after(), edition.snapshot());
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

    /** Has the pods of gangs that wait say why, as it is after a cycle. */
    void explain(Collection<GangRecord> standings, long now) {
        explainer.explain(WaitExplainer.Waiting.among(standings, now));
    }

    /** Writes one step, or starts its gang; empty: it was not written, and has not started. */
    private CompletableFuture<Optional<GangRecord>> write(
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
                    ? CompletableFuture.completedFuture(Optional.of(done.standing()))
                    : NOT_WRITTEN;
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
        if (now && starter.goesDirect(draft.after())) {
            return starter.startNow(before, draft.after())
                    .thenApply(outcome -> told(outcome, draft, before, edition, true));
        }
        Outcome outcome = draft.gone()
                ? records.delete(before)
                : now
                        ? starter.inTurn(before, () -> records.write(before, draft.after()))
                        : starter.unstarted(before, () -> records.write(before, draft.after()));
        return CompletableFuture.completedFuture(told(outcome, draft, before, edition, false));
    }

    /**
     * Tells what came of a write.
     *
     * @param starts whether the gang has started with it
     */
    private Optional<GangRecord> told(
            Outcome outcome, RecordUpdate draft, GangRecord before, CycleChanges edition, boolean starts) {
        return switch (outcome) {
            case Outcome.Written done -> {
                news.count(draft, done.standing(), edition.snapshot());
                finish(draft, done.standing(), edition, starts);
                yield Optional.of(done.standing());
            }
            case Outcome.Conflict _ -> {
                news.leave(draft, edition.snapshot());
                yield Optional.empty();
            }
            case Outcome.Refused refusal -> {
                refused.add(before.gang());
                news.tell(
                        before,
                        new Announcement(
                                EventRecorder.Reason.WRITE_REFUSED,
                                new Refusal.WriteRefused("record", refusal.message())),
                        edition.began().getEpochSecond());
                yield Optional.empty();
            }
            case Outcome.Failed failure -> {
                news.leave(draft, edition.snapshot());
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
        news.tell(draft, standing, starts);
    }
}
