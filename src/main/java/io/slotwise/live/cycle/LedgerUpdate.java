package io.slotwise.live.cycle;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.AccountBalance;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.CommittedWindow;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.ledger.LedgerStatement;
import io.slotwise.core.ledger.Overrun;
import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.ledger.QueueLedgers;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The new ledgers of one cycle, and the remaining budgets. A pure function of the facts.
 *
 * <p>Only durable facts are charged: an end counts from the cycle after the one that recorded it. So a replica that
 * repeats a step after a crash reads the same end and computes the same charge.
 */
final class LedgerUpdate {
    private static final Logger LOG = Logger.getLogger(LedgerUpdate.class);

    private final ClusterFacts facts;
    private final SortedMap<String, Ledger> ledgers = new TreeMap<>();
    /** Namespaces whose remaining budget cannot be determined. */
    private final Map<String, Grant> unreported = new HashMap<>();
    /** Ended gangs with runs that are not charged yet. Only their records say what the runs cost. */
    private final Set<GangId> unsettled = new HashSet<>();

    private LedgerUpdate(ClusterFacts facts) {
        this.facts = facts;
    }

    /** Updates all ledgers. Precondition: the updates of all gangs are settled, but not planned yet. */
    static LedgerUpdate of(ClusterFacts facts, Collection<RecordUpdate> updates, LoopSettings settings, long now) {
        LedgerUpdate update = new LedgerUpdate(facts);
        Map<String, List<RecordUpdate>> byNamespace = byNamespace(updates);
        for (String namespace : facts.accounted(settings.policy())) {
            List<RecordUpdate> gangs = byNamespace.getOrDefault(namespace, List.of());
            Isolated.run(() -> update.keep(namespace, gangs, settings, now), error -> {
                update.fail(namespace, error);
                gangs.forEach(update::await);
            });
        }
        return update;
    }

    /**
     * Charges a purchase for a gang that has not started.
     *
     * @return whether nothing is left to do: the charge is durable, or the namespace has no accounting
     */
    boolean charge(String namespace, LedgerEntry entry) {
        boolean isDone = !ledgers.containsKey(namespace) || known(namespace).has(entry.key());
        if (!isDone) {
            ledgers.computeIfPresent(namespace, (_, ledger) -> ledger.charging(entry));
        }
        return isDone;
    }

    private static Map<String, List<RecordUpdate>> byNamespace(Collection<RecordUpdate> updates) {
        return updates.stream()
                .collect(Collectors.groupingBy(update -> update.before().gang().namespace()));
    }

    private void keep(String namespace, List<RecordUpdate> gangs, LoopSettings settings, long now) {
        Ledger ledger = known(namespace).kept(observation(gangs, settings, now));
        makeRoom(ledger, gangs);
        if (facts.grants().get(namespace) instanceof Grant.Given(Allotment allotment)) {
            ledger = ledger.owing(allotment, now);
        }
        LedgerStatement statement =
                statement(ledger, gangs, now, now + settings.policy().horizon());
        ledgers.put(namespace, ledger.showing(statement));
    }

    /**
     * Keeps the records of runs that are still to be charged, because the ledger has no room for them. If a ledger has
     * too many entries, deletes the records of its oldest charged runs early. O(entries log entries + gangs).
     */
    private void makeRoom(Ledger ledger, List<RecordUpdate> gangs) {
        Map<LedgerEntry.Key, RecordUpdate> over = new HashMap<>();
        for (RecordUpdate update : gangs) {
            LedgerEntry runEntry = run(update);
            if (runEntry != null && !runEntry.isOpen() && !update.isFrozen()) {
                over.put(runEntry.key(), update);
            }
            if (Stream.concat(Stream.ofNullable(runEntry), legs(update.before()))
                    .anyMatch(toldEntry -> ledger.waiting().contains(toldEntry.key()))) {
                await(update);
            }
        }
        ledger.superfluous(over.keySet())
                .forEach(key -> Objects.requireNonNull(over.get(key)).remove());
    }

    private void await(RecordUpdate update) {
        if (update.gone() || update.before().phase() == Phase.COMPLETED) {
            unsettled.add(update.before().gang());
        }
    }

    /** Returns the gangs whose records have to stay, because their costs are not in a ledger yet. */
    Set<GangId> unsettled() {
        return unsettled;
    }

    /** Leaves the ledger of a namespace as it is, with an unknown remaining budget. */
    private Grant.Unreadable fail(String namespace, Throwable error) {
        Grant.Unreadable unreadable =
                new Grant.Unreadable("the ledger of namespace %s could not be updated because of %s"
                        .formatted(namespace, InternalFailure.of(error)));
        LOG.errorf(error, "%s; other ledgers are not affected", unreadable.problem());
        ledgers.put(namespace, known(namespace));
        unreported.put(namespace, unreadable);
        return unreadable;
    }

    private Ledger known(String namespace) {
        return facts.ledgers().getOrDefault(namespace, Ledger.empty(namespace));
    }

    List<Ledger> changes() {
        return ledgers.values().stream()
                .map(Ledger::written)
                .filter(ledger -> ledger.version().isEmpty() || !ledger.equals(known(ledger.namespace())))
                .toList();
    }

    /**
     * Returns the remaining budgets. The promises of the snapshot's requests are not deducted, because the planner
     * deducts them.
     *
     * @param updates the updates of all gangs, including those first seen in this snapshot
     */
    List<Account> accounts(Snapshot snapshot, SortedMap<GangId, RecordUpdate> updates, long horizon) {
        long from = snapshot.now();
        long to = snapshot.now() + horizon;
        Set<GangId> requested = new HashSet<>();
        for (Request request : snapshot.requests()) {
            requested.add(request.gang().id());
            Promise promise = request.promise();
            if (promise != null) {
                from = Math.min(from, promise.window().start());
                to = Math.max(to, promise.window().start() + 1);
            }
        }
        Map<String, List<CommittedWindow>> others = new HashMap<>();
        updates.forEach((gang, update) -> {
            List<String> holders = snapshot.holders(gang, update.after().terms().queue());
            late(update.after(), snapshot.now()).ifPresent(committed -> hold(holders, committed, others));
            Promise promise = update.after().promise();
            if (promise != null && !requested.contains(gang) && !update.gone() && !isPart(update.after())) {
                if (update.heldToItsEnd()) {
                    Cost dueCost = Isolated.get(
                            () -> settled(update.after(), promise.window())
                                    .charge()
                                    .total(),
                            _ -> promise.window().cost());
                    hold(holders, new CommittedWindow(promise.window().start(), dueCost), others);
                } else if (isCommitted(update.after())) {
                    hold(holders, hold(promise.window()), others);
                }
            }
        });
        List<Account> accounts = new ArrayList<>();
        Interval interval = new Interval(from, to);
        facts.grants()
                .forEach((namespace, grant) -> accounts.addAll(Isolated.get(
                        () -> accounts(namespace, unreported.getOrDefault(namespace, grant), others, interval),
                        error -> accounts(namespace, fail(namespace, error), others, interval))));
        QueueState queues = snapshot.queues();
        if (queues != null) {
            accounts.addAll(new QueueLedgers(queues.tree(), snapshot.queueBudgets(), ledgers.values())
                    .accounts(others, from, to));
        }
        return accounts;
    }

    private static void hold(
            List<String> holders, CommittedWindow committed, Map<String, List<CommittedWindow>> others) {
        holders.forEach(
                holder -> others.computeIfAbsent(holder, _ -> new ArrayList<>()).add(committed));
    }

    private List<Account> accounts(
            String namespace, Grant grant, Map<String, List<CommittedWindow>> others, Interval interval) {
        return ledgers.getOrDefault(namespace, Ledger.empty(namespace))
                .accounts(grant, others.getOrDefault(namespace, List.of()), interval.start(), interval.end());
    }

    /** Returns the past use of namespaces, with the weight that it still has for this queue. */
    Map<String, Cost> used(Policy.Queue queue, long now, UseUnit unit) {
        return queue.used(ledgers.values(), now, unit);
    }

    private LedgerStatement statement(Ledger ledger, List<RecordUpdate> gangs, long from, long to) {
        if (!(facts.grants().get(ledger.namespace()) instanceof Grant.Given(Allotment allotment))) {
            return LedgerStatement.NONE;
        }
        List<CommittedWindow> holds = new ArrayList<>();
        for (RecordUpdate update : gangs) {
            Promise promise = update.before().promise();
            late(update.before(), from).ifPresent(holds::add);
            if (promise != null && isCommitted(update.before()) && !isPart(update.before())) {
                holds.add(hold(promise.window()));
            }
        }
        return new LedgerStatement(allotment, ledger.balances(allotment, new Interval(from, to), holds));
    }

    /** Returns the money held for late pods, which have starts and costs of their own. */
    private Optional<CommittedWindow> late(GangRecord record, long now) {
        List<Placement> kept = record.startedMembers().keptAt(now);
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        Set<String> coming = facts.membersOf(record.gang()).stream()
                .filter(Member::isComing)
                .map(Member::pod)
                .collect(Collectors.toSet());
        Cost cost = kept.stream()
                .filter(placement -> coming.contains(placement.pod()))
                .map(Placement::cost)
                .reduce(Cost.ZERO, Cost::plus);
        return Optional.of(new CommittedWindow(now, cost));
    }

    /** Returns whether the gang's advance reservation holds the money of its window. */
    private static boolean isPart(GangRecord record) {
        return record.host() != null && !record.phase().started();
    }

    private static CommittedWindow hold(Window window) {
        return new CommittedWindow(window.start(), window.cost());
    }

    private static Ledger.Observation observation(List<RecordUpdate> gangs, LoopSettings settings, long now) {
        List<LedgerEntry> runs = new ArrayList<>();
        Map<LedgerEntry.Key, Overrun> overruns = new HashMap<>();
        Set<String> uids = new HashSet<>();
        for (RecordUpdate update : gangs) {
            uids.add(update.before().uid());
            legs(update.before()).forEach(runs::add);
            LedgerEntry entry = run(update);
            if (entry != null) {
                runs.add(entry);
                overrun(update, settings, now).ifPresent(overrun -> overruns.put(entry.key(), overrun));
            }
        }
        return new Ledger.Observation(runs, overruns, uids, now, settings.reservationTtl());
    }

    /** Returns how a gang ran beyond its promise, including its next grace. O(members). */
    private static Optional<Overrun> overrun(RecordUpdate update, LoopSettings settings, long now) {
        GangRecord record = update.before();
        Promise promise = record.promise();
        if (promise == null) {
            return Optional.empty();
        }
        Window window = promise.window();
        if (record.phase() == Phase.COMPLETED) {
            return Optional.of(new Overrun(window, record.tariff(), course(record, window)));
        }
        Map<String, Long> ends = update.after().history().ends();
        long startedAt = record.history().startedAt().orElse(window.start());
        long planned = window.placements().stream()
                .filter(placement -> !ends.containsKey(placement.pod()))
                .mapToLong(placement -> beyondFrom(record, placement))
                .min()
                .orElse(now);
        long until = now < planned
                ? now
                : new OverrunGrace(settings.overrunGrace()).until(startedAt, planned, now - planned);
        return Optional.of(new Overrun(window, record.tariff(), record.course(window, ends, until)));
    }

    /** Returns the second, since the epoch, from which a pod runs beyond its promised end or size. */
    private static long beyondFrom(GangRecord record, Placement placement) {
        PodSizes sizes = record.history().sizes();
        long end = GangLifecycle.end(record, placement);
        return sizes.part(placement.pod()) > PodSizes.PROMISED ? Math.min(end, sizes.since()) : end;
    }

    private static Stream<LedgerEntry> legs(GangRecord record) {
        MigrationHistory history = record.history().history();
        return history == null
                ? Stream.empty()
                : history.legs().stream()
                        .map(leg -> new LedgerEntry(
                                        new LedgerEntry.Key(record.uid(), leg.start()),
                                        record.gang().name(),
                                        leg.end(),
                                        leg.promised(),
                                        new LedgerEntry.Settled(leg.charge(), leg.endedAt()))
                                .withQueue(record.terms().queue()));
    }

    /**
     * Returns whether a gang's window is not a run of a ledger: it has not started, or has no record yet, whose UID
     * identifies the run.
     */
    private static boolean isCommitted(GangRecord record) {
        return !record.phase().started() || record.uid().isEmpty();
    }

    /** Returns the run of a started gang that this cycle does not roll back. */
    private static @Nullable LedgerEntry run(RecordUpdate update) {
        GangRecord record = update.before();
        Promise promise = record.promise();
        if (promise == null || isCommitted(record) || !update.after().phase().started()) {
            return null;
        }
        Window window = promise.window();
        return new LedgerEntry(
                new LedgerEntry.Key(record.uid(), window.start()),
                record.gang().name(),
                window.end(),
                window.cost(),
                window.processorTime(),
                LedgerEntry.Beyond.NOTHING,
                record.phase() == Phase.COMPLETED ? settled(record, window) : null,
                record.terms().queue());
    }

    private static LedgerEntry.Settled settled(GangRecord record, Window window) {
        Charge.Course course = course(record, window);
        return new LedgerEntry.Settled(Charge.of(window, record.tariff(), course), course.endedAt());
    }

    private static Charge.Course course(GangRecord record, Window window) {
        GangRecord.History history = record.history();
        return record.course(window, history.ends(), history.endedAt().orElse(window.end()));
    }

    /**
     * Handles gangs that run beyond their promised ends or sizes and whose namespaces cannot pay the next grace:
     * records an event for them, and evicts them if the policy says so. O(gangs + entries).
     */
    void treatUnpaid(RecordUpdates updates, LoopSettings settings, long now) {
        Map<String, List<RecordUpdate>> byNamespace = byNamespace(updates.all());
        for (Ledger ledger : ledgers.values()) {
            List<AccountBalance> balances = ledger.statement().balances();
            if (balances.isEmpty() || !balances.getFirst().overdrawn()) {
                continue;
            }
            Set<LedgerEntry.Key> beyond = ledger.entries().stream()
                    .filter(entry -> !entry.beyond().equals(LedgerEntry.Beyond.NOTHING))
                    .map(LedgerEntry::key)
                    .collect(Collectors.toSet());
            for (RecordUpdate update : byNamespace.getOrDefault(ledger.namespace(), List.of())) {
                GangRecord record = update.before();
                Promise promise = record.promise();
                if (promise == null
                        || update.isFrozen()
                        || !beyond.contains(new LedgerEntry.Key(
                                record.uid(), promise.window().start()))) {
                    continue;
                }
                List<Member> late = membersBeyond(record, promise.window(), now);
                if (!late.isEmpty()) {
                    update.tell(EventRecorder.Reason.OVERRUN_UNPAID, new UnpaidOverrun(ledger.namespace(), settings));
                }
                if (settings.unpaidOverrun() == LoopSettings.Overrun.EVICT) {
                    update.endOverdue(late);
                }
            }
        }
    }

    private List<Member> membersBeyond(GangRecord record, Window window, long now) {
        Map<String, Long> ends = new HashMap<>();
        window.placements().forEach(placement -> ends.put(placement.pod(), beyondFrom(record, placement)));
        return GangLifecycle.inTheirPlaces(window, facts.membersOf(record.gang())).stream()
                .filter(member -> ends.getOrDefault(member.pod(), Long.MAX_VALUE) <= now)
                .toList();
    }
}
