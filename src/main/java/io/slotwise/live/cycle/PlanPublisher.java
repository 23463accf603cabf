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
import java.util.Objects;
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
 * Writes the changes of a cycle, with as many gangs at once as {@link WriteOrder} allows, and announces each change
 * after it is durable. Writes that depend on a failed one are skipped and planned again. A gang whose window begins now
 * starts as soon as its window is written.
 */
public final class PlanPublisher {
    private static final Logger LOG = Logger.getLogger(PlanPublisher.class);

    private final RecordStore recordStore;
    private final LedgerStore ledgers;
    private final CycleNews news;
    private final PodReleaser releaser;
    private final WaitExplainer explainer;
    private final GangStarter starter;
    private final Writers writers;
    private final Runnable again;
    private final WritesUnderway underway = new WritesUnderway();
    private final AtomicBoolean complained = new AtomicBoolean();
    private final RunHistoryStore store;
    /** The gangs whose windows a plan took away while they were being written. */
    private final Set<GangId> overtaken = ConcurrentHashMap.newKeySet();
    /** The namespaces whose run histories are being written. */
    private final Set<String> learning = ConcurrentHashMap.newKeySet();

    /**
     * The gangs whose last write was refused, or whose ledger was not written. An immediate further cycle would not
     * help them.
     */
    private final Set<GangId> refused = ConcurrentHashMap.newKeySet();

    /** The failed starts in a row of a gang after which its window is written, and missed with a reason. */
    private static final int MOST_UNSTARTED = 2;

    /** The failed starts in a row of the gangs that could not start at once. */
    private final Map<GangId, Integer> unstarted = new ConcurrentHashMap<>();

    private final OverrunEviction overruns;
    private final MoveStops stops;

    /** Creates a publisher; {@code again} requests another cycle after a failed write. */
    public PlanPublisher(Ports ports, GangStarter starter, Writers writers, Runnable again) {
        this.starter = starter;
        this.again = again;
        this.recordStore = ports.records();
        this.ledgers = ports.ledgers();
        this.store = ports.store();
        this.releaser = ports.releaser();
        this.overruns = new OverrunEviction(releaser);
        this.stops = new MoveStops(releaser);
        this.news = new CycleNews(ports.events(), ports.recorder());
        this.explainer = ports.explainer();
        this.writers = writers;
    }

    /**
     * The executors of writes.
     *
     * @param awaited for writes that the next cycle waits for
     * @param others for all other writes
     */
    public record Writers(Executor awaited, Executor others) {
        public static Writers all(Executor executor) {
            return new Writers(executor, executor);
        }
    }

    /** The targets of writes. */
    public record Ports(
            RecordStore records,
            LedgerStore ledgers,
            EventRecorder events,
            PodReleaser releaser,
            MetricsRecorder recorder,
            WaitExplainer explainer,
            RunHistoryStore store) {}

    /**
     * The changes of one cycle.
     *
     * @param histories the changed run histories; nothing waits for them
     * @param turnover seconds between two uses of the same room
     * @param reign tells whether this replica still plans: a replica that was delayed beyond its Lease must not write
     *     an outdated plan. Writes carry its epoch, so the cluster refuses those that are in flight when it ends
     * @param known returns the current record of a gang; null if there is none
     */
    record CycleChanges(
            Collection<RecordUpdate> updates,
            List<Ledger> books,
            List<RunHistory> histories,
            Snapshot snapshot,
            long turnover,
            Instant began,
            Leadership.Reign reign,
            Function<GangId, @Nullable GangRecord> known) {}

    /**
     * Finds out the outcome of all earlier writes.
     *
     * @param known returns the current record of a gang; null if there is none
     * @return whether all outcomes are known now
     */
    boolean catchUp(Function<GangId, @Nullable GangRecord> known) {
        return news.catchUp(recordStore, known);
    }

    CycleNews news() {
        return news;
    }

    /** Forgets the announcements and budget refusals of this replica, because another one plans. */
    void forgetNotices() {
        news.forget();
        overruns.retain(Set.of());
        stops.forget();
    }

    /** Returns whether disruption budgets kept a gang that was to be stopped, as far as this replica asked. */
    boolean isKept(GangId gang) {
        return stops.isKept(gang);
    }

    WritesUnderway underway() {
        return underway;
    }

    /**
     * Writes every changed ledger and record. Returns when all ledgers are written, and all records that give up room
     * or wait for such a write; the others are {@link WritesUnderway}. The record of a finished run is only deleted or
     * reused once its charge is durable.
     */
    void publish(CycleChanges changes) {
        complained.set(false);
        news.begin(changes.began().getEpochSecond());
        overtaken.retainAll(underway.now().keySet());
        Set<GangId> planned =
                changes.updates().stream().map(update -> update.before().gang()).collect(Collectors.toSet());
        unstarted.keySet().retainAll(planned);
        refused.removeIf(gang -> !planned.contains(gang) && !underway.now().containsKey(gang));
        overruns.retain(changes.updates().stream()
                .filter(update -> update.isFrozen() || !update.overdue().isEmpty())
                .map(update -> update.before().gang())
                .collect(Collectors.toSet()));
        Map<String, CompletableFuture<Boolean>> kept = kept(changes);
        changes.histories().forEach(history -> keep(history, changes));
        Sending sending = new Sending(changes, kept);
        List<Step> steps = WriteOrder.of(
                changes.updates(), changes.turnover(), changes.snapshot().balances());
        sending.send(steps);
        endExchanges(new HaltedExchanges(steps, sending.soFar(), recordStore, changes.known()), changes);
        CompletableFuture.allOf(kept.values().toArray(CompletableFuture[]::new)).join();
        CompletableFuture.allOf(changes.updates().stream()
                        .filter(update -> !update.changed() && update.hasErrands())
                        .map(update -> CompletableFuture.runAsync(
                                () -> Isolated.run(
                                        () -> settle(update, changes),
                                        failure -> notWritten(update.before().gang(), failure)),
                                writers.awaited()))
                        .toArray(CompletableFuture[]::new))
                .join();
        var _ = CompletableFuture.allOf(sending.writes.toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> log(changes.began(), sending.written.get(), sending.failed.get()));
    }

    /** Writes the changed ledgers. Tells by namespace whether each is durable. */
    private Map<String, CompletableFuture<Boolean>> kept(CycleChanges changes) {
        Map<String, CompletableFuture<Boolean>> kept = new HashMap<>();
        for (Ledger ledger : changes.books()) {
            kept.put(
                    ledger.namespace(),
                    CompletableFuture.supplyAsync(
                                    () -> changes.reign().getAsBoolean() && ledgers.write(ledger), writers.awaited())
                            .exceptionally(failure -> {
                                LOG.errorf(
                                        failure, "the ledger of namespace %s could not be written", ledger.namespace());
                                return false;
                            }));
        }
        return kept;
    }

    /** The writes of one cycle's records. */
    private final class Sending {
        private final CycleChanges changes;
        private final Map<String, CompletableFuture<Boolean>> kept;
        private final AtomicInteger written = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        /** The write of each step so far. */
        private final List<CompletableFuture<Optional<GangRecord>>> writes = new ArrayList<>();

        Sending(CycleChanges changes, Map<String, CompletableFuture<Boolean>> kept) {
            this.changes = changes;
            this.kept = kept;
        }

        /** Sends all steps, and waits for those that give up room or wait for such a step. */
        void send(List<Step> steps) {
            List<CompletableFuture<Optional<GangRecord>>> awaited = new ArrayList<>();
            Set<Integer> needed =
                    steps.stream().flatMap(step -> step.after().stream()).collect(Collectors.toSet());
            for (Step step : steps) {
                GangId gang = step.update().before().gang();
                if (step.isBlocked()) {
                    overtaken.add(gang);
                    writes.add(CompletableFuture.completedFuture(Optional.empty()));
                    continue;
                }
                boolean free = step.isFree() && !needed.contains(writes.size());
                if (free) {
                    underway.begin(step.update());
                }
                CompletableFuture<Optional<GangRecord>> sentRecord =
                        sent(step, free ? writers.others() : writers.awaited());
                writes.add(sentRecord);
                if (free) {
                    var _ = sentRecord
                            .exceptionally(failure -> notWritten(gang, failure))
                            .thenAccept(record -> end(gang, record));
                } else {
                    awaited.add(sentRecord);
                }
            }
            CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new)).join();
        }

        private CompletableFuture<Optional<GangRecord>> sent(Step step, Executor executor) {
            List<CompletableFuture<Optional<GangRecord>>> first =
                    step.after().stream().map(writes::get).toList();
            return CompletableFuture.allOf(first.toArray(CompletableFuture[]::new))
                    .thenCombine(charged(step.update(), kept), (done, durable) -> durable)
                    .thenComposeAsync(durable -> now(step, first, durable), executor);
        }

        private CompletableFuture<Optional<GangRecord>> now(
                Step step, List<CompletableFuture<Optional<GangRecord>>> first, boolean durable) {
            GangId gang = step.update().before().gang();
            if (!durable) {
                refused.add(gang);
            }
            boolean possible = durable
                    && changes.reign().getAsBoolean()
                    && first.stream().allMatch(record -> record.join().isPresent());
            CompletableFuture<Optional<GangRecord>> currentRecord = possible
                    ? Isolated.get(
                            () -> write(step, first, changes),
                            failure -> CompletableFuture.completedFuture(notWritten(gang, failure)))
                    : CompletableFuture.completedFuture(Optional.empty());
            return currentRecord.thenApply(record -> {
                if (!refused.contains(gang)) {
                    (record.isEmpty() ? failed : written).incrementAndGet();
                }
                return record;
            });
        }

        /** Returns the outcomes so far, which include all steps of exchanges. */
        private List<Optional<GangRecord>> soFar() {
            return writes.stream()
                    .map(record -> record.getNow(Optional.empty()))
                    .toList();
        }
    }

    /** Gives windows back that were given up for nothing, or announces that others have their room. */
    private void endExchanges(HaltedExchanges exchanges, CycleChanges changes) {
        for (int place : exchanges.places()) {
            again.run();
            RecordUpdate update = changes.reign().getAsBoolean()
                    ? exchanges.ended(place, !complained.get(), changes.began().getEpochSecond())
                    : null;
            if (update != null) {
                var _ = Isolated.get(
                        () -> write(new Step(update, false, List.of()), List.of(), changes)
                                .join(),
                        failure -> notWritten(update.before().gang(), failure));
            }
        }
    }

    /** Writes a run history unless its namespace is being written. An unwritten one comes again in the next cycle. */
    private void keep(RunHistory history, CycleChanges changes) {
        if (learning.add(history.namespace())) {
            writers.others().execute(() -> {
                try {
                    if (changes.reign().getAsBoolean()) {
                        store.write(history);
                    }
                } catch (RuntimeException failure) {
                    LOG.errorf(failure, "the run history of namespace %s could not be written", history.namespace());
                } finally {
                    learning.remove(history.namespace());
                }
            });
        }
    }

    private static Optional<GangRecord> notWritten(GangId gang, Throwable failure) {
        LOG.errorf(failure, "%s could not be written", gang);
        return Optional.empty();
    }

    private void end(GangId gang, Optional<GangRecord> writtenRecord) {
        underway.over(gang);
        if (overtaken.remove(gang) || (writtenRecord.isEmpty() && !refused.contains(gang))) {
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

    /** Completes an update that needs no write. */
    private void settle(RecordUpdate update, CycleChanges changes) {
        news.count(update, update.after(), changes.snapshot());
        finish(update, update.after(), changes);
    }

    /** Returns whether the ledger that this record waits for is durable. */
    private static CompletableFuture<Boolean> charged(
            RecordUpdate update, Map<String, CompletableFuture<Boolean>> kept) {
        CompletableFuture<Boolean> durable = CompletableFuture.completedFuture(true);
        return update.before().phase() == Phase.COMPLETED
                        || update.before().history().history() != null
                        || update.awaitsLedger()
                ? kept.getOrDefault(update.before().gang().namespace(), durable)
                : durable;
    }

    void explain(Collection<GangRecord> records, long now) {
        explainer.explain(WaitExplainer.Waiting.among(records, now));
    }

    /** Writes one step, or starts its gang. Empty if it was not written and has not started. */
    private CompletableFuture<Optional<GangRecord>> write(
            Step step, List<CompletableFuture<Optional<GangRecord>>> first, CycleChanges changes) {
        RecordUpdate update = step.update();
        refused.remove(update.before().gang());
        RecordStore records = recordStore.under(changes.reign().epoch());
        GangRecord before = first.stream()
                .flatMap(record -> record.join().stream())
                .filter(record -> record.gang().equals(update.before().gang()))
                .findFirst()
                .orElse(update.before());
        if (step.withdrawn()) {
            Outcome outcome = starter.unstarted(
                    before,
                    () -> records.write(before, before.with((Promise) null).withPhase(Phase.PENDING)));
            return CompletableFuture.completedFuture(
                    outcome instanceof Outcome.Written(GangRecord record) ? Optional.of(record) : Optional.empty());
        }
        if (update.before().phase() == Phase.RUNNING && !update.toRecall().isEmpty()) {
            // The previous leader's binding may be in flight; it then names an outdated version of the pod.
            releaser.recall(before.gang(), update.toRecall());
        }
        boolean waited = before.phase() == Phase.PROMISED || before.phase() == Phase.PENDING;
        boolean now = waited && !update.gone() && update.promised() && starter.isForNow(update.after());
        if (now && unstarted.getOrDefault(before.gang(), 0) < MOST_UNSTARTED) {
            return starter.startNow(before, update.after(), changes.reign()).thenApply(outcome -> {
                if (outcome instanceof Outcome.Conflict) {
                    unstarted.merge(before.gang(), 1, Integer::sum);
                }
                return Isolated.get(
                        () -> told(outcome, update, before, changes), failure -> notWritten(before.gang(), failure));
            });
        }
        Outcome outcome = starter.unstarted(
                before, () -> update.gone() ? records.delete(before) : records.write(before, update.after()));
        return CompletableFuture.completedFuture(told(outcome, update, before, changes));
    }

    /** Announces the outcome of a write or a start. Returns the record if it is durable. */
    private Optional<GangRecord> told(Outcome outcome, RecordUpdate update, GangRecord before, CycleChanges changes) {
        return switch (outcome) {
            case Outcome.Written written -> {
                news.count(update, written.record(), changes.snapshot());
                finish(update, written.record(), changes);
                yield Optional.of(written.record());
            }
            case Outcome.Conflict _ -> {
                news.leave(update, changes.snapshot());
                yield Optional.empty();
            }
            case Outcome.Refused refusalRefused -> {
                refused.add(before.gang());
                // Its first part may have been written.
                news.tell(
                        Objects.requireNonNullElse(changes.known().apply(before.gang()), before),
                        new Announcement(
                                EventRecorder.Reason.WRITE_REFUSED,
                                new Refusal.WriteRefused("record", refusalRefused.message())),
                        changes.began().getEpochSecond());
                yield Optional.empty();
            }
            case Outcome.Failed failed -> {
                news.leave(update, changes.snapshot());
                // One message is enough: while the API server is unavailable every write fails.
                if (complained.compareAndSet(false, true)) {
                    LOG.warnf("%s was not written: %s", update.before().gang(), failed.message());
                }
                yield Optional.empty();
            }
        };
    }

    /** Does the remaining work of an update once its record is durable. */
    private void finish(RecordUpdate update, GangRecord record, CycleChanges changes) {
        GangId gang = update.before().gang();
        if (!update.toRecall().isEmpty()) {
            releaser.recall(gang, update.toRecall());
        }
        if (!update.toEvict().isEmpty()) {
            releaser.evict(gang, update.toEvict());
        }
        stops.end(gang, update.toStop(), changes.began().getEpochSecond())
                .forEach(announcement -> update.tell(announcement.reason(), announcement.reasonStatement()));
        overruns.end(gang, update.overdue(), changes.began().getEpochSecond())
                .forEach(announcement -> update.tell(announcement.reason(), announcement.reasonStatement()));
        news.tell(update, record);
    }
}
