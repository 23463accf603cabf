package io.slotwise.core.ledger;

import io.slotwise.core.combination.Account;
import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The costs of the gangs of one namespace. Sums are kept by UTC day, of which days, weeks and months consist, so that a
 * budget may change its period without losing anything.
 *
 * @param version the version of the stored object; empty if there is none yet
 * @param statement the budget and its balances, for users
 * @param days the charges by days since the epoch: a promise on the day on which the window starts, an overrun on the
 *     day on which it runs
 * @param entries the runs that have not ended, and those that ended a short while ago, by key
 * @param debt what earlier periods spent beyond their budgets, and the present one pays
 * @param waiting the runs for which the stored object has no room. Their cost is held but not charged, and their
 *     entries are not written, because their records report them again
 * @param queueDays the charges of gangs in queues by queue and day, which are also among {@code days}
 */
@RecordBuilder
public record Ledger(
        String namespace,
        String version,
        LedgerStatement statement,
        SortedMap<Long, Charge> days,
        List<LedgerEntry> entries,
        Debt debt,
        Set<LedgerEntry.Key> waiting,
        SortedMap<String, SortedMap<Long, Charge>> queueDays)
        implements LedgerBuilder.With {
    /** The time for which the sum of a day is kept, days. */
    public static final long DAYS_KEPT = 100;
    /** The time for which the sums of queues are kept, days: the longest period, and the present day. */
    public static final long QUEUE_DAYS_KEPT = 38;
    /** The time after its planned end at which a run without its Reservation is charged in full, seconds. */
    public static final long ABANDONED_SECONDS = 3600;
    /** The time by which an entry outlives its Reservation, seconds. No replica's view is older. */
    public static final long SETTLED_SECONDS = 600;
    /**
     * The most characters of the entries in the ledger's object, about 3,000 ended runs. With the sums of days and
     * periods they fit into the 1.5 MB of an etcd object.
     */
    public static final int MOST_SIZE = 1_400_000;

    /** The most of these characters for open runs. There is always room for runs that end. */
    private static final int MOST_OPEN_SIZE = MOST_SIZE / 3;

    /** The most of these characters for the sums of queues: about 100 queues with gangs on each day. */
    private static final int MOST_QUEUE_SIZE = MOST_SIZE / 3;

    /** The most of these characters for ended runs whose records exist. */
    private static final int MOST_SETTLED_SIZE = MOST_SIZE / 2;

    public Ledger {
        days = Collections.unmodifiableSortedMap(new TreeMap<>(days));
        entries =
                entries.stream().sorted(Comparator.comparing(LedgerEntry::key)).toList();
        waiting = Set.copyOf(waiting);
        SortedMap<String, SortedMap<Long, Charge>> byQueue = new TreeMap<>();
        queueDays.forEach((queue, sums) -> byQueue.put(queue, Collections.unmodifiableSortedMap(new TreeMap<>(sums))));
        queueDays = Collections.unmodifiableSortedMap(byQueue);
    }

    public Ledger(
            String namespace,
            String version,
            LedgerStatement statement,
            SortedMap<Long, Charge> days,
            List<LedgerEntry> entries,
            Debt debt) {
        this(namespace, version, statement, days, entries, debt, Set.of(), Collections.emptySortedMap());
    }

    public Ledger(
            String namespace,
            String version,
            LedgerStatement statement,
            SortedMap<Long, Charge> days,
            List<LedgerEntry> entries) {
        this(namespace, version, statement, days, entries, Debt.NONE);
    }

    public static Ledger empty(String namespace) {
        return new Ledger(namespace, "", LedgerStatement.NONE, Collections.emptySortedMap(), List.of());
    }

    public Ledger at(String storedVersion) {
        return withVersion(storedVersion);
    }

    public Ledger showing(LedgerStatement newStatement) {
        return withStatement(newStatement);
    }

    /** Returns the ledger for the stored object: without the entries of waiting runs. O(entries). */
    public Ledger written() {
        return new Ledger(
                namespace,
                version,
                statement,
                days,
                entries.stream()
                        .filter(entry -> !waiting.contains(entry.key()))
                        .map(LedgerEntry::brief)
                        .toList(),
                debt,
                Set.of(),
                queueDays);
    }

    /**
     * The state of the records of the namespace's gangs at one moment.
     *
     * @param runs all runs that have started; those whose end is durable are settled
     * @param overruns the runs that exceed or exceeded their promises, by key
     * @param uids the UIDs of all records
     * @param now seconds since the epoch
     * @param timeToLive how long a record stays after its gang's end, seconds
     */
    public record Observation(
            List<LedgerEntry> runs,
            Map<LedgerEntry.Key, Overrun> overruns,
            Set<String> uids,
            long now,
            long timeToLive) {
        public Observation {
            runs = List.copyOf(runs);
            overruns = Map.copyOf(overruns);
            uids = Set.copyOf(uids);
        }
    }

    /**
     * Returns the ledger after an observation of the records. The same observation again changes nothing. New runs are
     * entered, and ended ones settled, once. An overrunning run is charged for each day that is over. A rolled-back run
     * is removed, unless days were charged: then the end of that run settles them. A run without its record is charged
     * an hour after its planned end, as promised plus what was held beyond. A run without room waits: its cost is held,
     * and neither charged nor settled. O(days + entries log entries + days and placements of overruns).
     */
    public Ledger kept(Observation observation) {
        TreeMap<LedgerEntry.Key, LedgerEntry> seen = new TreeMap<>();
        observation.runs().forEach(entry -> seen.put(entry.key(), entry));
        Set<LedgerEntry.Key> waits = withoutRoom(seen, observation);
        DaySums sums = new DaySums(this);
        List<LedgerEntry> kept = new ArrayList<>();
        waits.forEach(key -> kept.add(held(Objects.requireNonNull(seen.remove(key)), observation)));
        for (LedgerEntry entry : entries) {
            if (waits.contains(entry.key())) {
                continue;
            }
            LedgerEntry ledgerEntry = seen.remove(entry.key());
            if (!entry.isOpen()) {
                kept.add(entry);
            } else if (ledgerEntry != null) {
                kept.add(entered(ledgerEntry, entry, sums, observation));
            } else if (observation.uids().contains(entry.key().uid())) {
                if (entry.isCharged()) {
                    kept.add(entry);
                }
            } else {
                kept.add(
                        observation.now() < entry.end() + ABANDONED_SECONDS
                                ? entry
                                : entered(abandoned(entry), entry, sums, observation));
            }
        }
        seen.values().forEach(entry -> kept.add(entered(entry, entry, sums, observation)));
        sums.forget(day(observation.now()));
        Cost refundCost = refund(kept, debt.since());
        return new Ledger(
                namespace,
                version,
                statement,
                sums.days(),
                withoutOld(kept, waits, observation, DaySums.size(sums.queueDays())),
                debt.less(refundCost),
                waits,
                sums.queueDays());
    }

    /**
     * Returns the runs for which there is no room next to the entries that must stay: settled runs that are still
     * reported, charged runs, and runs without records. Nor is there room for a run whose charge would make the sums of
     * queues too long, until old sums go. Ended runs come first. O(runs log runs + entries + days of overruns).
     */
    private Set<LedgerEntry.Key> withoutRoom(SortedMap<LedgerEntry.Key, LedgerEntry> runs, Observation observation) {
        Set<LedgerEntry.Key> waits = new HashSet<>(runs.keySet());
        int open = 0;
        int sums = DaySums.size(queueDays);
        int over = sums;
        for (LedgerEntry entry : entries) {
            boolean reported = runs.containsKey(entry.key());
            if (entry.isOpen() ? entry.isCharged() || !reported : reported) {
                waits.remove(entry.key());
                open += entry.isOpen() ? entry.size() : 0;
                over += entry.isOpen() ? 0 : entry.size();
            }
        }
        List<LedgerEntry> overFirst = runs.values().stream()
                .filter(entry -> waits.contains(entry.key()))
                .sorted(Comparator.comparing(LedgerEntry::isOpen).thenComparing(LedgerEntry::key))
                .toList();
        for (LedgerEntry entry : overFirst) {
            int sum = DaySums.size(queueDays, entry.queue(), charged(entry, observation));
            boolean fits = open + over + entry.size() + sum <= MOST_SIZE && (sum == 0 || sums + sum <= MOST_QUEUE_SIZE);
            if (fits && (!entry.isOpen() || open + entry.size() <= MOST_OPEN_SIZE)) {
                waits.remove(entry.key());
                sums += sum;
                over += sum;
                open += entry.isOpen() ? entry.size() : 0;
                over += entry.isOpen() ? 0 : entry.size();
            }
        }
        return waits;
    }

    /** Returns the days on which a run is charged in this observation, perhaps with some that are charged already. */
    private static Set<Long> charged(LedgerEntry entry, Observation observation) {
        Set<Long> days = new HashSet<>();
        LedgerEntry.Settled settled = entry.settled();
        if (settled != null) {
            days.addAll(List.of(day(entry.start()), day(settled.endedAt())));
        }
        Overrun overrun = observation.overruns().get(entry.key());
        if (overrun != null) {
            long last = day(Math.min(overrun.end(), observation.now()));
            LongStream.rangeClosed(Math.max(day(overrun.start()), last - DAYS_KEPT), last)
                    .forEach(days::add);
        }
        return days;
    }

    /** Returns the entry of a waiting run: every day beyond its promise is held, as far back as days are kept. */
    private static LedgerEntry held(LedgerEntry entry, Observation observation) {
        Overrun overrun = observation.overruns().get(entry.key());
        long first = day(observation.now()) - DAYS_KEPT;
        return overrun == null
                ? entry.open()
                : entry.open().withBeyond(LedgerEntry.Beyond.NOTHING.going(overrun, first, (day, charge) -> {}));
    }

    /** Returns the unneeded part of money that earlier periods held, over the runs that are settled now. */
    private Cost refund(List<LedgerEntry> after, long since) {
        Set<LedgerEntry.Key> open = entries.stream()
                .filter(LedgerEntry::isOpen)
                .map(LedgerEntry::key)
                .collect(Collectors.toSet());
        Cost refundCost = Cost.ZERO;
        for (LedgerEntry entry : after) {
            LedgerEntry.Settled settled = entry.settled();
            if (settled != null && entry.start() < since && open.contains(entry.key())) {
                refundCost = refundCost.plus(
                        entry.promised().minus(settled.charge().chargedCost()).orNothing());
            }
        }
        return refundCost;
    }

    /** Enters a run whose previous entry is {@code knownEntry}. */
    private static LedgerEntry entered(
            LedgerEntry runEntry, LedgerEntry knownEntry, DaySums sums, Observation observation) {
        BiConsumer<Long, Charge> charging = (day, charge) -> sums.add(runEntry.queue(), day, charge);
        Overrun overrun = observation.overruns().get(runEntry.key());
        LedgerEntry.Settled settled = runEntry.settled();
        LedgerEntry.Beyond beyond = knownEntry.beyond();
        if (overrun != null) {
            long over = settled == null ? day(observation.now() - SETTLED_SECONDS) : day(overrun.end()) + 1;
            beyond = beyond.going(overrun, over, charging);
        }
        if (settled == null) {
            return runEntry.withBeyond(beyond);
        }
        Charge charge = settled.charge().since(beyond.charge());
        charging.accept(day(runEntry.start()), new Charge(charge.chargedCost(), Cost.ZERO, charge.processorTime()));
        if (!charge.overrunCost().equals(Cost.ZERO)) {
            charging.accept(day(settled.endedAt()), new Charge(Cost.ZERO, charge.overrunCost()));
        }
        return runEntry;
    }

    /** Adds a settled run, if there is room and the ledger lacks it. O(days + entries). */
    public Ledger charging(LedgerEntry entry) {
        LedgerEntry.Settled settled = entry.settled();
        int more = DaySums.size(queueDays, entry.queue(), Set.of(day(entry.start())));
        int size = DaySums.size(queueDays) + more;
        if (settled == null
                || has(entry.key())
                || (more > 0 && size > MOST_QUEUE_SIZE)
                || size + size(written().entries()) + entry.size() > MOST_SIZE) {
            return this;
        }
        DaySums sums = new DaySums(this);
        sums.add(entry.queue(), day(entry.start()), settled.charge());
        List<LedgerEntry> all = new ArrayList<>(entries);
        all.add(entry);
        return with(copy -> copy.days(sums.days()).queueDays(sums.queueDays()).entries(all));
    }

    public boolean has(LedgerEntry.Key key) {
        return entries.stream().anyMatch(entry -> entry.key().equals(key));
    }

    private static long day(long second) {
        return Math.floorDiv(second, Period.DAY_SECONDS);
    }

    private static LedgerEntry abandoned(LedgerEntry entry) {
        Charge charge = entry.beyond().charge().plus(entry.beyond().allHeld());
        return entry.withSettled(new LedgerEntry.Settled(
                charge.plus(new Charge(entry.promised(), Cost.ZERO, entry.processorTime())), entry.end()));
    }

    private static List<LedgerEntry> withoutOld(
            List<LedgerEntry> entries, Set<LedgerEntry.Key> waits, Observation observation, int queueSize) {
        Set<LedgerEntry.Key> seen =
                Set.copyOf(observation.runs().stream().map(LedgerEntry::key).toList());
        List<LedgerEntry> done = entries.stream()
                .filter(entry -> !entry.isOpen() && !seen.contains(entry.key()))
                .sorted(Comparator.comparingLong(Ledger::endedAt).thenComparing(LedgerEntry::key))
                .toList();
        long since = observation.now() - observation.timeToLive() - SETTLED_SECONDS;
        int size = queueSize
                + size(entries.stream()
                        .filter(entry -> !waits.contains(entry.key()))
                        .toList());
        Set<LedgerEntry> old = new HashSet<>();
        for (LedgerEntry entry : done) {
            if (size > MOST_SIZE / 10 * 9 || endedAt(entry) <= since) {
                old.add(entry);
                size -= entry.size();
            }
        }
        return entries.stream().filter(entry -> !old.contains(entry)).toList();
    }

    private static int size(List<LedgerEntry> entries) {
        return entries.stream().mapToInt(LedgerEntry::size).sum();
    }

    /**
     * Returns the ended runs whose records must be deleted early, so that their entries can be deleted too. These are
     * the oldest ones, if there are too many. O(entries log entries).
     *
     * @param recorded the runs whose records exist
     */
    public Set<LedgerEntry.Key> superfluous(Set<LedgerEntry.Key> recorded) {
        List<LedgerEntry> done = entries.stream()
                .filter(entry -> !entry.isOpen() && recorded.contains(entry.key()))
                .sorted(Comparator.comparingLong(Ledger::endedAt).thenComparing(LedgerEntry::key))
                .toList();
        int size = size(done);
        Set<LedgerEntry.Key> superfluous = new HashSet<>();
        for (LedgerEntry entry : done) {
            if (size > MOST_SETTLED_SIZE) {
                superfluous.add(entry.key());
                size -= entry.size();
            }
        }
        return superfluous;
    }

    private static long endedAt(LedgerEntry entry) {
        return entry.settled() == null ? Long.MAX_VALUE : entry.settled().endedAt();
    }

    /**
     * Returns the balance in each period that shares a second with {@code timeInterval}, in order, given the promised
     * windows that have not started. O(periods since the debt was known * (days + entries + holds)).
     */
    public List<AccountBalance> balances(
            Allotment allotment, Interval timeInterval, Collection<CommittedWindow> holds) {
        List<AccountBalance> balances = new ArrayList<>();
        Debt carriedDebt = debt;
        for (Interval period : allotment.periods(timeInterval.start(), timeInterval.end())) {
            carriedDebt = carriedDebt.after(this, allotment, period.start(), holds);
            balances.add(balance(allotment, period, holds, carriedDebt.owedCost()));
        }
        return balances;
    }

    /** Returns the balance in one period that begins with a debt. O(days + entries + holds). */
    public AccountBalance balance(
            Allotment allotment, Interval interval, Collection<CommittedWindow> holds, Cost owedCost) {
        Charge spentCharge = Charge.NOTHING;
        for (Charge dayCharge : charged(interval)) {
            spentCharge = spentCharge.plus(dayCharge);
        }
        Cost heldCost = beyond(interval);
        for (LedgerEntry entry : entries) {
            if (entry.isOpen() && holds(interval, entry.start())) {
                heldCost = heldCost.plus(entry.promised());
            }
        }
        for (CommittedWindow committed : holds) {
            if (holds(interval, committed.start())) {
                heldCost = heldCost.plus(committed.cost());
            }
        }
        return new AccountBalance(interval, allotment.amount(), spentCharge, heldCost, owedCost);
    }

    /** Returns the cost of a period's seconds beyond promises, charged and held. O(days + entries). */
    Cost overrun(Interval interval) {
        Cost overrunCost = beyond(interval);
        for (Charge charge : charged(interval)) {
            overrunCost = overrunCost.plus(charge.overrunCost());
        }
        return overrunCost;
    }

    private Collection<Charge> charged(Interval interval) {
        return days.subMap(day(interval.start()), day(interval.end())).values();
    }

    /** Returns what open runs beyond their promises hold of a period. O(entries). */
    private Cost beyond(Interval interval) {
        Cost heldCost = Cost.ZERO;
        for (LedgerEntry entry : entries) {
            for (Charge charge : entry.beyond()
                    .held()
                    .subMap(day(interval.start()), day(interval.end()))
                    .values()) {
                heldCost = heldCost.plus(charge.total());
            }
        }
        return heldCost;
    }

    /**
     * Returns the ledger whose present period has taken over the debt of past ones. Precondition: the budget is known.
     * O(periods since the last time * (days + entries)).
     */
    public Ledger owing(Allotment allotment, long now) {
        Debt after = debt.after(this, allotment, now - SETTLED_SECONDS, List.of());
        return withDebt(after);
    }

    private static boolean holds(Interval interval, long second) {
        return interval.start() <= second && second < interval.end();
    }

    /** Returns the accounts of each period that meets {@code [from, to)}, empty if the budget is unreadable. */
    public List<Account> accounts(Grant grant, Collection<CommittedWindow> holds, long from, long to) {
        return switch (grant) {
            case Grant.Given(Allotment allotment) ->
                balances(allotment, new Interval(from, to), holds).stream()
                        .map(balance -> new Account(
                                namespace,
                                balance.interval().start(),
                                balance.interval().end(),
                                balance.left()))
                        .toList();
            case Grant.Unreadable _ -> List.of(new Account(namespace, from, to, Cost.ZERO));
        };
    }

    /** Returns the use of the namespace, weighted by age, and the whole use of open runs. O(days + entries). */
    public Cost used(HalfLife halfLife, long now, UseUnit unit) {
        SortedMap<Long, Cost> totals = new TreeMap<>();
        days.forEach((day, charge) -> totals.put(day, unit.of(charge)));
        Cost usedCost = halfLife.left(totals, now);
        for (LedgerEntry entry : entries) {
            usedCost = entry.isOpen() ? usedCost.plus(unit.of(entry)) : usedCost;
        }
        return usedCost;
    }

    /** Returns the accounts of all namespaces with a budget, from their ledgers alone. */
    public static List<Account> accounts(Map<String, Grant> grants, Collection<Ledger> ledgers, long from, long to) {
        Map<String, Ledger> byNamespace = new HashMap<>();
        ledgers.forEach(ledger -> byNamespace.put(ledger.namespace(), ledger));
        List<Account> accounts = new ArrayList<>();
        new TreeMap<>(grants)
                .forEach((namespace, grant) -> accounts.addAll(
                        byNamespace.getOrDefault(namespace, empty(namespace)).accounts(grant, List.of(), from, to)));
        return accounts;
    }
}
