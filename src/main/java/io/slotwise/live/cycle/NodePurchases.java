package io.slotwise.live.cycle;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.NodeHoldings;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.window.Placement;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import io.slotwise.live.port.PurchaseRecorder;
import io.slotwise.live.port.PurchaseRecorder.Failure;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Buys the nodes that the records of gangs name, and gives up all others that Slotwise has bought. The records are all
 * that decides: a node is bought when a record that names it is durable, under a name that follows from the record, and
 * its cost is kept before; so whoever goes on from a replica that was killed at any point buys nothing twice and leaves
 * nothing behind. What is remembered here between two cycles only spares tries in vain.
 *
 * <p>A node on which nothing is any more stays while that costs nothing, or as long as the policy keeps idle nodes; the
 * next replica does not know of that, and gives it up.
 *
 * <p>Invariants: no node is bought beyond the policy's {@code max-nodes} and {@code max-spend}, as they are at the
 * purchase, whatever was promised under earlier ones; a node that a window is on is not given up.
 */
final class NodePurchases {
    /** How long an offer rests of which a node was not to be had, seconds. */
    static final long REST = 600;

    /** What the name of a bill ends with that is counted once more. */
    private static final String AGAIN = ".again";

    /** What was made and is not seen so much later has been refused meanwhile, seconds. */
    private static final long SEEN_WITHIN = 5;

    private final NodeSupplier supplier;
    private final PurchaseRecorder recorder;
    private final PurchaseCounts counts;
    private final OfferExperience experience = new OfferExperience();
    private final PurchaseCharges charges = new PurchaseCharges();
    /** The purchases that were seen to be made, and whether they had a node: one that is gone since was refused. */
    private final Map<String, Boolean> seen = new HashMap<>();
    /** When this replica has made purchases that were not seen since. */
    private final Map<String, Long> made = new HashMap<>();
    /** The purchases whose nodes were seen to be there, as long as they are. */
    private final Set<String> started = new HashSet<>();
    /** The purchases that were refused before a node was there: nothing is paid for them. */
    private final Set<String> refused = new HashSet<>();
    /** Since when nothing is on the nodes that are needed no more. */
    private final Map<String, Long> idle = new HashMap<>();
    /** What was offered last. */
    private List<NodeOffer> offered = List.of();
    /** The next second in which an idle node goes. */
    private long nextChange = Long.MAX_VALUE;
    /**
     * The purchases whose bills another replica kept: it may have made them, and their nodes may have come and gone
     * since.
     */
    private final Set<String> inherited = new HashSet<>();

    private boolean knowsBooks;
    /** What purchases have cost, as it is kept; null: it has to be read. */
    private @Nullable SortedMap<String, Expense> expenses;

    NodePurchases(NodeSupplier supplier, PurchaseRecorder recorder) {
        this.supplier = supplier;
        this.recorder = recorder;
        this.counts = new PurchaseCounts(recorder);
    }

    /**
     * Puts windows on the nodes that are there now, and drops the promises that rest on a node that is not to be had.
     */
    void settle(RecordUpdates updates, long now) {
        if (!supplier.isServed()) {
            return;
        }
        experience.pass(now);
        SortedMap<String, Supplied> nodes = supplier.nodes();
        counts.observe(nodes, updates.after(), now);
        made.keySet().removeAll(nodes.keySet());
        List<String> lost = made.entrySet().stream()
                .filter(entry -> entry.getValue() + SEEN_WITHIN <= now)
                .map(Map.Entry::getKey)
                .toList();
        lost.forEach(name -> seen.putIfAbsent(name, false));
        made.keySet().removeAll(lost);
        nodes.forEach((name, supplied) -> seen.merge(name, !supplied.node().isEmpty(), Boolean::logicalOr));
        Map<String, String> ready = nodes.values().stream()
                .filter(supplied -> supplied.state() == State.READY)
                .collect(Collectors.toMap(Supplied::name, Supplied::node));
        for (RecordUpdate update : List.copyOf(updates.all())) {
            if (!update.gone() && !update.isFrozen()) {
                updates.change(
                        update.before().gang(), "settled", changeUpdate -> settle(changeUpdate, nodes, ready, now));
            }
        }
        Set<String> named = names(updates.after());
        seen.keySet().removeIf(name -> !named.contains(name) && !nodes.containsKey(name));
        started.retainAll(nodes.keySet());
    }

    /** Charges what was bought for gangs that went or lost their windows before they started. */
    void charge(RecordUpdates updates, LedgerUpdate update, long now) {
        SortedMap<String, Supplied> nodes = supplier.isServed() ? supplier.nodes() : Collections.emptySortedMap();
        charges.charge(new PurchaseCharges.Purchases(nodes, made.keySet(), offered), updates, update, now);
    }

    private void settle(RecordUpdate update, SortedMap<String, Supplied> nodes, Map<String, String> ready, long now) {
        if (update.broken().contains(Cause.NOT_PROVISIONED)) {
            late(update.before().promise(), nodes, now);
        }
        Promise promise = update.after().promise();
        if (promise == null || update.after().phase() != Phase.PROMISED) {
            return;
        }
        for (PurchaseOrder order : promise.orders()) {
            Supplied supplied = nodes.get(order.node());
            boolean isGone = supplied == null ? seen.containsKey(order.node()) : supplied.isLost();
            if (promise.window().isOn(order.node()) && isGone) {
                if (!seen.getOrDefault(order.node(), true)) {
                    refused.add(order.node());
                    recorder.failed(order.offer(), Failure.REFUSED);
                }
                update.breakPromise(
                        Cause.NOT_PROVISIONED,
                        "no node of %s was available; this offer is not used for %d s".formatted(order.offer(), REST),
                        now);
                experience.rest(order.offer(), now + REST);
                return;
            }
            if (promise.window().isOn(order.node()) && ready.containsKey(order.node())) {
                started(order, Objects.requireNonNull(supplied), now);
            }
        }
        update.become(update.after()
                .promised(
                        promise.withWindow(promise.window().on(ready)),
                        update.after().tariff().on(ready)));
    }

    /** The first time that a node is there: its gang's window goes from its purchase's name to its own. */
    private void started(PurchaseOrder order, Supplied supplied, long now) {
        if (started.add(order.node())) {
            long delay = supplied.delay().orElse(now - order.bought());
            experience.started(order.offer(), delay);
            recorder.ready(order.offer(), delay);
        }
    }

    /** What was promised and is not there at its start rests, too. */
    private void late(@Nullable Promise promise, SortedMap<String, Supplied> nodes, long now) {
        if (promise == null) {
            return;
        }
        for (PurchaseOrder order : promise.orders()) {
            Supplied supplied = nodes.get(order.node());
            if (promise.window().isOn(order.node()) && (supplied == null || supplied.state() != State.READY)) {
                experience.rest(order.offer(), now + REST);
                recorder.failed(order.offer(), Failure.LATE);
                if (supplied != null && supplied.state() == State.COMING) {
                    experience.gaveUp(order.offer(), now - order.bought());
                }
            }
        }
    }

    /** The snapshot with what can be bought now, and what was bought before. */
    Snapshot on(Snapshot snapshot, Provisioning provisioning, Collection<GangRecord> records) {
        if (snapshot.offers().isEmpty()) {
            return snapshot;
        }
        SortedMap<String, Expense> kept = provisioning.mode() == Mode.BUY ? kept() : new TreeMap<>();
        if (!supplier.isServed() || kept == null) {
            return snapshot.offering(List.of());
        }
        if (provisioning.mode() == Mode.BUY) {
            recorder.spent(Expense.within(kept.values(), period(provisioning).holding(snapshot.now()))
                    .microSecondsPerHour());
        }
        recorder.offered(snapshot.offers().stream().map(NodeOffer::name).toList());
        offered = experience.on(snapshot.offers());
        return snapshot.offering(offered).withHoldings(holdings(kept, supplier.nodes(), records));
    }

    /** What counts against limits. */
    private NodeHoldings holdings(
            SortedMap<String, Expense> kept, SortedMap<String, Supplied> nodes, Collection<GangRecord> records) {
        SortedMap<String, PurchaseOrder> orders = new TreeMap<>();
        SortedMap<String, Expense> spent = new TreeMap<>(kept);
        for (GangRecord record : records) {
            Promise promise = record.promise();
            if (promise != null && record.phase() != Phase.COMPLETED) {
                promise.orders().stream()
                        .filter(order -> promise.window().isOn(order.node()) || nodes.containsKey(order.node()))
                        .forEach(order -> {
                            orders.put(order.node(), order);
                            spent.put(order.node(), order.expense(record.gang()));
                        });
            }
        }
        int others = (int) Stream.concat(nodes.keySet().stream(), unseen(nodes))
                .filter(name -> !orders.containsKey(name))
                .count();
        return new NodeHoldings(List.copyOf(orders.values()), others, List.copyOf(spent.values()));
    }

    /** What this replica has made and its watch has not shown yet: it is there. */
    private Stream<String> unseen(SortedMap<String, Supplied> nodes) {
        return made.keySet().stream().filter(name -> !nodes.containsKey(name));
    }

    /** What a reader of the plan should know of offers. */
    List<String> notes(Provisioning provisioning) {
        return provisioning.mode() == Mode.NONE
                ? List.of()
                : supplier.absent().stream()
                        .map("the cluster does not serve %s: no node is bought by them"::formatted)
                        .toList();
    }

    /** The nodes that a plan buys, as they will be. */
    static List<Node> bought(Plan plan, Provisioning provisioning) {
        return provisioning.mode() == Mode.BUY
                ? plan.buying().stream()
                        .flatMap(advice -> advice.acquisition().purchases().stream())
                        .map(purchase -> purchase.seen(plan.now()))
                        .toList()
                : List.of();
    }

    /**
     * What is known of gangs.
     *
     * @param records as they are durable
     * @param complete whether these are all
     * @param used the nodes that windows of the last plan are on
     */
    record Known(Collection<GangRecord> records, boolean complete, Set<String> used) {
        static Known of(Collection<GangRecord> records, boolean complete, Plan plan) {
            return new Known(
                    records,
                    complete,
                    plan.windows().stream()
                            .flatMap(planned -> planned.window().placements().stream())
                            .map(Placement::node)
                            .collect(Collectors.toSet()));
        }

        /** Whether a window is on a node. */
        boolean needs(Supplied supplied) {
            return used.contains(supplied.name())
                    || used.contains(supplied.node())
                    || records.stream()
                            .filter(record -> record.phase() == Phase.PROMISED
                                    || record.phase() == Phase.STARTING
                                    || record.phase() == Phase.RUNNING)
                            .map(GangRecord::promise)
                            .anyMatch(promise -> promise != null
                                    && (promise.window().isOn(supplied.name())
                                            || (!supplied.node().isEmpty()
                                                    && promise.window().isOn(supplied.node()))));
        }
    }

    /**
     * Buys what is due, and gives up what is needed no more.
     *
     * @param leads whether this replica plans
     */
    void carryOut(Known known, Provisioning provisioning, BooleanSupplier leads, long now) {
        if (!supplier.isServed()) {
            return;
        }
        SortedMap<String, Supplied> nodes = supplier.nodes();
        nextChange = Long.MAX_VALUE;
        if (known.complete()) {
            giveUp(known, nodes, provisioning, leads, now);
        }
        if (leads.getAsBoolean()) {
            supplier.attend();
        }
        List<Due> due = provisioning.mode() == Mode.BUY ? due(known.records(), nodes, now) : List.of();
        if (due.isEmpty() && refused.isEmpty() && !experience.hasNews()) {
            return;
        }
        SortedMap<String, Expense> kept = kept();
        if (kept == null) {
            return;
        }
        SortedMap<String, Expense> wanted = counted(kept, now);
        int there = nodes.size() + (int) unseen(nodes).count();
        List<Due> buying = affordable(due, wanted, there, provisioning);
        if (!wanted.equals(kept) || experience.hasNews()) {
            if (!leads.getAsBoolean() || !supplier.keep(experience.beside(wanted))) {
                expenses = null;
                return;
            }
            expenses = wanted;
            experience.kept();
        }
        refused.clear();
        for (Due duePurchase : buying) {
            if (leads.getAsBoolean() && supplier.buy(duePurchase.order(), duePurchase.buyerId())) {
                made.put(duePurchase.order().node(), now);
                recorder.bought(duePurchase.order().offer());
            }
        }
    }

    /** Gives up what nothing is on any more, and nothing keeps. */
    private void giveUp(
            Known known,
            SortedMap<String, Supplied> nodes,
            Provisioning provisioning,
            BooleanSupplier leads,
            long now) {
        idle.keySet().retainAll(nodes.keySet());
        for (Supplied supplied : nodes.values()) {
            if (supplied.state() == State.LEAVING) {
                continue;
            }
            if (known.needs(supplied)) {
                idle.remove(supplied.name());
            } else {
                long until = keptUntil(supplied, provisioning, idle.computeIfAbsent(supplied.name(), _ -> now));
                if (now < until) {
                    nextChange = Math.min(nextChange, until);
                } else if (leads.getAsBoolean()) {
                    counts.givenUp(supplied.name());
                    supplier.giveUp(supplied);
                }
            }
        }
    }

    /** Until when a node stays on which nothing is; what is not ready, or of which less is known, goes at once. */
    private long keptUntil(Supplied supplied, Provisioning provisioning, long since) {
        PurchaseOrder order = counts.order(supplied.name());
        if (order == null || supplied.state() != State.READY || provisioning.mode() != Mode.BUY) {
            return since;
        }
        return offered.stream()
                .filter(offer -> offer.name().equals(order.offer()))
                .mapToLong(offer -> provisioning.keptUntil(order, offer.billing(), since))
                .findFirst()
                .orElse(since);
    }

    /** A node that is to be bought now. */
    private record Due(GangId buyerId, PurchaseOrder order) {}

    private List<Due> due(Collection<GangRecord> records, SortedMap<String, Supplied> nodes, long now) {
        return records.stream()
                .flatMap(record -> awaited(record).map(order -> new Due(record.gang(), order)))
                .filter(due -> due.order().bought() <= now
                        && now <= due.order().ready()
                        && !nodes.containsKey(due.order().node())
                        && !seen.containsKey(due.order().node())
                        && !made.containsKey(due.order().node()))
                .sorted(Comparator.comparingLong((Due due) -> due.order().bought())
                        .thenComparing(due -> due.order().node()))
                .toList();
    }

    /**
     * Those that no limit keeps from being bought; what they cost is added to the expenses. Of what another replica
     * was about to buy nobody knows whether it did, and it is not there: it is counted once more.
     */
    private List<Due> affordable(
            List<Due> due, SortedMap<String, Expense> spent, int there, Provisioning provisioning) {
        List<Due> buying = new ArrayList<>();
        for (Due duePurchase : due) {
            Expense expense = duePurchase.order().expense(duePurchase.buyerId());
            String name = duePurchase.order().node();
            while (inherited.contains(name)) {
                name += AGAIN;
            }
            boolean affords = spent.containsKey(name)
                    || provisioning.limits(expense.namespace(), spent.values()).stream()
                            .allMatch(limit -> expense.cost().compareTo(limit.left(expense.bought())) <= 0);
            if (there + buying.size() < provisioning.maxNodes() && affords) {
                spent.put(name, expense);
                buying.add(duePurchase);
            }
        }
        return buying;
    }

    /** What still counts: of this period and later ones, but for what was refused. */
    private SortedMap<String, Expense> counted(SortedMap<String, Expense> kept, long now) {
        // The longest period, so that a limit that is stated later counts what was bought before.
        long from = Math.min(
                Period.WEEK.holding(now).start(), Period.MONTH.holding(now).start());
        SortedMap<String, Expense> counted = new TreeMap<>(kept);
        counted.values().removeIf(expense -> expense.bought() < from);
        for (String name : refused) {
            String last = name;
            while (counted.containsKey(last + AGAIN)) {
                last += AGAIN;
            }
            counted.remove(last);
        }
        return counted;
    }

    private static Period period(Provisioning provisioning) {
        Provisioning.Spending spending = provisioning.maxSpend();
        return spending == null ? Period.MONTH : spending.period();
    }

    private @Nullable SortedMap<String, Expense> kept() {
        if (expenses == null) {
            supplier.books().ifPresent(books -> {
                expenses = new TreeMap<>(books.expenses());
                if (!knowsBooks) {
                    inherited.addAll(expenses.keySet());
                    knowsBooks = true;
                }
                experience.adopt(books);
            });
        }
        return expenses;
    }

    /** What this replica knew while it planned; another one may have planned since. */
    void forget() {
        expenses = null;
        inherited.clear();
        knowsBooks = false;
        idle.clear();
        nextChange = Long.MAX_VALUE;
        experience.forget();
        counts.forget();
        started.clear();
        seen.clear();
        made.clear();
        refused.clear();
        charges.forget();
    }

    /** The purchases that a gang waits for. */
    private static Stream<PurchaseOrder> awaited(GangRecord record) {
        Promise promise = record.promise();
        return promise == null || record.phase() != Phase.PROMISED
                ? Stream.empty()
                : promise.orders().stream().filter(order -> promise.window().isOn(order.node()));
    }

    private static Set<String> names(Collection<GangRecord> records) {
        return records.stream()
                .flatMap(NodePurchases::awaited)
                .map(PurchaseOrder::node)
                .collect(Collectors.toSet());
    }

    /** The next second after {@code now} in which a node is to be bought or given up; empty: none. */
    OptionalLong deadline(Collection<GangRecord> records, long now) {
        SortedMap<String, Supplied> nodes = supplier.nodes();
        LongStream purchases = records.stream()
                .flatMap(NodePurchases::awaited)
                .filter(order -> now <= order.ready() && !nodes.containsKey(order.node()))
                .mapToLong(order -> Math.max(order.bought(), now + 1));
        LongStream changes =
                nextChange == Long.MAX_VALUE ? LongStream.empty() : LongStream.of(Math.max(nextChange, now + 1));
        return LongStream.concat(purchases, changes).min();
    }
}
