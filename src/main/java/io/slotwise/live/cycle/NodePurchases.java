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
 * Buys the nodes that records name, and gives up all other nodes that Slotwise has bought. Only the records decide: a
 * node is bought once a record that names it is durable, under a name that follows from the record, and after its cost
 * is stored. So a replica that takes over after a crash at any point buys nothing twice and leaves nothing behind. The
 * state kept here between cycles only avoids useless tries.
 *
 * <p>An unused node stays while that costs nothing, or as long as the policy keeps idle nodes. The next replica does
 * not know about the node's order, and gives it up.
 *
 * <p>Invariants: No purchase exceeds the current {@code max-nodes} and {@code max-spend} of the policy, whatever was
 * promised under earlier limits. A node with a window on it is not given up.
 */
final class NodePurchases {
    /** The pause of an offer after one of its nodes was not available, seconds. */
    static final long REST = 600;

    /** The suffix of a bill that is counted once more. */
    private static final String AGAIN = ".again";

    /** A purchase that is not seen after this time was refused, seconds. */
    private static final long SEEN_WITHIN = 5;

    private final NodeSupplier supplier;
    private final PurchaseRecorder recorder;
    private final PurchaseCounts counts;
    private final OfferExperience experience = new OfferExperience();
    private final PurchaseCharges charges = new PurchaseCharges();
    /** The seen purchases, and whether they had a node. A purchase that is gone without a node was refused. */
    private final Map<String, Boolean> seen = new HashMap<>();
    /** The times of this replica's purchases that it has not seen yet. */
    private final Map<String, Long> made = new HashMap<>();
    /** The purchases whose nodes exist and were counted as started. */
    private final Set<String> started = new HashSet<>();
    /** The purchases that were refused before they had a node: nothing is paid for them. */
    private final Set<String> refused = new HashSet<>();
    /** The time since which each unneeded node is idle. */
    private final Map<String, Long> idle = new HashMap<>();
    /** The offers of the last cycle. */
    private List<NodeOffer> offered = List.of();
    /** The next second in which an idle node is given up. */
    private long nextChange = Long.MAX_VALUE;
    /** The purchases whose bills another replica stored. Their nodes may have been bought and gone since. */
    private final Set<String> inherited = new HashSet<>();

    private boolean knowsBooks;
    /** The stored costs of purchases. Null if they have to be read. */
    private @Nullable SortedMap<String, Expense> expenses;

    NodePurchases(NodeSupplier supplier, PurchaseRecorder recorder) {
        this.supplier = supplier;
        this.recorder = recorder;
        this.counts = new PurchaseCounts(recorder);
    }

    /** Moves windows to bought nodes that are ready now, and breaks the promises on nodes that are not available. */
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

    /** Charges purchases for gangs that went or lost their windows before they started. */
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

    private void started(PurchaseOrder order, Supplied supplied, long now) {
        if (started.add(order.node())) {
            long delay = supplied.delay().orElse(now - order.bought());
            experience.started(order.offer(), delay);
            recorder.ready(order.offer(), delay);
        }
    }

    /** Pauses the offers of nodes that were not ready at the start of their window. */
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

    /** Returns the purchases that count against limits. */
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

    /** Returns the purchases of this replica that its watch has not shown yet. */
    private Stream<String> unseen(SortedMap<String, Supplied> nodes) {
        return made.keySet().stream().filter(name -> !nodes.containsKey(name));
    }

    List<String> notes(Provisioning provisioning) {
        return provisioning.mode() == Mode.NONE
                ? List.of()
                : supplier.absent().stream()
                        .map("the cluster does not serve %s: no node is bought by them"::formatted)
                        .toList();
    }

    /** Returns the nodes that a plan buys, as they will be. */
    static List<Node> bought(Plan plan, Provisioning provisioning) {
        return provisioning.mode() == Mode.BUY
                ? plan.buying().stream()
                        .flatMap(advice -> advice.acquisition().purchases().stream())
                        .map(purchase -> purchase.seen(plan.now()))
                        .toList()
                : List.of();
    }

    /**
     * The durable state of gangs.
     *
     * @param complete whether these are all records
     * @param used the nodes with windows of the last plan
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

    /** Returns until when an idle node stays. A node that is not ready, or has no known order, is given up at once. */
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
     * Returns the purchases that no limit forbids, and adds their costs to the expenses. A purchase that another
     * replica was about to make and that does not exist is counted once more, because that replica may have made it.
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

    /** Returns the expenses of this period and later ones, without those of refused purchases. */
    private SortedMap<String, Expense> counted(SortedMap<String, Expense> kept, long now) {
        // The longest period, so that a limit that is set later counts earlier purchases.
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

    /** Forgets everything, because another replica may have planned since. */
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

    /** Returns the next second after {@code now} in which a node is to be bought or given up. */
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
