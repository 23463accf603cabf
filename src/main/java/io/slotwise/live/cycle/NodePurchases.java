package io.slotwise.live.cycle;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
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
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import io.slotwise.live.port.PurchaseRecorder;
import io.slotwise.live.port.PurchaseRecorder.Failure;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Buys the nodes that the records of gangs name, and gives up all others that Slotwise has bought. The records are all
 * that decides: a node is bought when a record that names it is durable, under a name that follows from the record, and
 * its cost is kept before; so whoever goes on from a replica that was killed at any point buys nothing twice and leaves
 * nothing behind. What is remembered here between two cycles only spares tries in vain.
 *
 * <p>Invariants: no node is bought beyond the policy's {@code max-nodes} and {@code max-spend}, as they are at the
 * purchase, whatever was promised under earlier ones; a node that a window is on is not given up.
 */
final class NodePurchases {
    /** How long an offer rests of which a node was not to be had, seconds. */
    static final long REST = 600;

    /** What was made and is not seen so much later has been refused meanwhile, seconds. */
    private static final long SEEN_WITHIN = 5;

    private final NodeSupplier supplier;
    private final PurchaseRecorder recorder;
    private final PurchaseCounts counts;
    private final OfferExperience experience = new OfferExperience();
    /** The purchases that were seen to be made, and whether they had a node: one that is gone since was refused. */
    private final Map<String, Boolean> seen = new HashMap<>();
    /** When this replica has made purchases that were not seen since. */
    private final Map<String, Long> made = new HashMap<>();
    /** The purchases whose nodes were seen to be there, as long as they are. */
    private final Set<String> started = new HashSet<>();
    /** The purchases that were refused before a node was there: nothing is paid for them. */
    private final Set<String> refused = new HashSet<>();
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
    void settle(RecordUpdates drafts, long now) {
        if (!supplier.isServed()) {
            return;
        }
        experience.pass(now);
        SortedMap<String, Supplied> nodes = supplier.nodes();
        counts.observe(nodes, drafts.after(), now);
        made.keySet().removeAll(nodes.keySet());
        List<String> lost = made.entrySet().stream()
                .filter(one -> one.getValue() + SEEN_WITHIN <= now)
                .map(Map.Entry::getKey)
                .toList();
        lost.forEach(name -> seen.putIfAbsent(name, false));
        made.keySet().removeAll(lost);
        nodes.forEach((name, node) -> seen.merge(name, !node.node().isEmpty(), Boolean::logicalOr));
        Map<String, String> ready = nodes.values().stream()
                .filter(node -> node.state() == State.READY)
                .collect(Collectors.toMap(Supplied::name, Supplied::node));
        for (RecordUpdate draft : List.copyOf(drafts.all())) {
            if (!draft.gone() && !draft.isFrozen()) {
                drafts.change(draft.before().gang(), "settled", change -> settle(change, nodes, ready, now));
            }
        }
        Set<String> named = names(drafts.after());
        seen.keySet().removeIf(name -> !named.contains(name) && !nodes.containsKey(name));
        started.retainAll(nodes.keySet());
    }

    private void settle(RecordUpdate draft, SortedMap<String, Supplied> nodes, Map<String, String> ready, long now) {
        if (draft.broken().contains(Cause.NOT_PROVISIONED)) {
            late(draft.before().promise(), nodes, now);
        }
        Promise promise = draft.after().promise();
        if (promise == null || draft.after().phase() != Phase.PROMISED) {
            return;
        }
        for (PurchaseOrder order : promise.orders()) {
            Supplied node = nodes.get(order.node());
            boolean isGone = node == null ? seen.containsKey(order.node()) : node.isLost();
            if (promise.window().isOn(order.node()) && isGone) {
                if (!seen.getOrDefault(order.node(), true)) {
                    refused.add(order.node());
                    recorder.failed(order.offer(), Failure.REFUSED);
                }
                draft.breakPromise(
                        Cause.NOT_PROVISIONED,
                        "no node of %s was available; this offer is not used for %d s".formatted(order.offer(), REST),
                        now);
                experience.rest(order.offer(), now + REST);
                return;
            }
            if (promise.window().isOn(order.node()) && ready.containsKey(order.node())) {
                started(order, Objects.requireNonNull(node), now);
            }
        }
        draft.become(draft.after()
                .promised(
                        promise.with(promise.window().on(ready)),
                        draft.after().tariff().on(ready)));
    }

    /** The first time that a node is there: its gang's window goes from its purchase's name to its own. */
    private void started(PurchaseOrder order, Supplied node, long now) {
        if (started.add(order.node())) {
            long delay = node.delay().orElse(now - order.bought());
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
            Supplied node = nodes.get(order.node());
            if (promise.window().isOn(order.node()) && (node == null || node.state() != State.READY)) {
                experience.rest(order.offer(), now + REST);
                recorder.failed(order.offer(), Failure.LATE);
                if (node != null && node.state() == State.COMING) {
                    experience.gaveUp(order.offer(), now - order.bought());
                }
            }
        }
    }

    /** The snapshot with what can be bought now, and what was bought before. */
    Snapshot on(Snapshot snapshot, Provisioning allowed, Collection<GangRecord> standings) {
        if (snapshot.offers().isEmpty()) {
            return snapshot;
        }
        SortedMap<String, Expense> kept = allowed.mode() == Mode.BUY ? kept() : new TreeMap<>();
        if (!supplier.isServed() || kept == null) {
            return snapshot.offering(List.of());
        }
        SortedMap<String, Supplied> nodes = supplier.nodes();
        SortedMap<String, PurchaseOrder> orders = new TreeMap<>();
        for (GangRecord standing : standings) {
            Promise promise = standing.promise();
            if (promise != null && standing.phase() != Phase.COMPLETED) {
                promise.orders().stream()
                        .filter(order -> promise.window().isOn(order.node()) || nodes.containsKey(order.node()))
                        .forEach(order -> orders.put(order.node(), order));
            }
        }
        SortedMap<String, Expense> spent = new TreeMap<>(kept);
        orders.forEach((name, order) -> spent.put(name, order.expense()));
        int others = (int) nodes.keySet().stream()
                .filter(name -> !orders.containsKey(name))
                .count();
        if (allowed.mode() == Mode.BUY) {
            recorder.spent(Expense.within(kept.values(), period(allowed), snapshot.now())
                    .microSecondsPerHour());
        }
        recorder.offered(snapshot.offers().stream().map(NodeOffer::name).toList());
        return snapshot.offering(experience.on(snapshot.offers()))
                .holding(new NodeHoldings(List.copyOf(orders.values()), others, List.copyOf(spent.values())));
    }

    /** What a reader of the plan should know of offers. */
    List<String> notes(Provisioning allowed) {
        return allowed.mode() == Mode.NONE
                ? List.of()
                : supplier.absent().stream()
                        .map("the cluster does not serve %s: no node is bought by them"::formatted)
                        .toList();
    }

    /** The nodes that a plan buys, as they will be. */
    static List<Node> bought(Plan plan, Provisioning allowed) {
        return allowed.mode() == Mode.BUY
                ? plan.buying().stream()
                        .flatMap(buying -> buying.acquisition().purchases().stream())
                        .map(purchase -> purchase.seen(plan.now()))
                        .toList()
                : List.of();
    }

    /**
     * Buys what is due, and gives up what is needed no more.
     *
     * @param standings as they are durable
     * @param complete whether these are all
     * @param leads whether this replica plans
     */
    void carryOut(
            Collection<GangRecord> standings, boolean complete, Provisioning allowed, BooleanSupplier leads, long now) {
        if (!supplier.isServed()) {
            return;
        }
        SortedMap<String, Supplied> nodes = supplier.nodes();
        if (complete) {
            for (Supplied node : nodes.values()) {
                if (node.state() != State.LEAVING && !isNeeded(node, standings) && leads.getAsBoolean()) {
                    counts.givenUp(node.name());
                    supplier.giveUp(node);
                }
            }
        }
        if (leads.getAsBoolean()) {
            supplier.attend();
        }
        List<Due> due = allowed.mode() == Mode.BUY ? due(standings, nodes, now) : List.of();
        if (due.isEmpty() && refused.isEmpty() && !experience.hasNews()) {
            return;
        }
        SortedMap<String, Expense> kept = kept();
        if (kept == null) {
            return;
        }
        SortedMap<String, Expense> wanted = counted(kept, allowed, now);
        List<Due> buying = affordable(due, wanted, nodes.size(), allowed);
        if (!wanted.equals(kept) || experience.hasNews()) {
            if (!leads.getAsBoolean() || !supplier.keep(experience.beside(wanted))) {
                expenses = null;
                return;
            }
            expenses = wanted;
            experience.kept();
        }
        refused.clear();
        for (Due one : buying) {
            if (leads.getAsBoolean() && supplier.buy(one.order(), one.standing().gang())) {
                made.put(one.order().node(), now);
                recorder.bought(one.order().offer());
            }
        }
    }

    /** A node that is to be bought now. */
    private record Due(GangRecord standing, PurchaseOrder order) {}

    private List<Due> due(Collection<GangRecord> standings, SortedMap<String, Supplied> nodes, long now) {
        return standings.stream()
                .flatMap(standing -> awaited(standing)
                        .filter(order -> order.bought() <= now
                                && now <= order.ready()
                                && !nodes.containsKey(order.node())
                                && !seen.containsKey(order.node())
                                && !made.containsKey(order.node()))
                        .map(order -> new Due(standing, order)))
                .sorted(Comparator.comparingLong((Due one) -> one.order().bought())
                        .thenComparing(one -> one.order().node()))
                .toList();
    }

    /** Those that no limit keeps from being bought; what they cost is added to the expenses. */
    private static List<Due> affordable(
            List<Due> due, SortedMap<String, Expense> spent, int there, Provisioning allowed) {
        Provisioning.Spending most = allowed.maxSpend();
        List<Due> buying = new ArrayList<>();
        for (Due one : due) {
            Expense expense = one.order().expense();
            boolean isKept = spent.containsKey(one.order().node());
            boolean affords = most == null
                    || isKept
                    || Expense.within(spent.values(), most.period(), expense.bought())
                                    .plus(expense.bill())
                                    .compareTo(Cost.of(most.amount()))
                            <= 0;
            if (there + buying.size() < allowed.maxNodes() && affords) {
                spent.put(one.order().node(), expense);
                buying.add(one);
            }
        }
        return buying;
    }

    /** What still counts: of this period and later ones, but for what was refused. */
    private SortedMap<String, Expense> counted(SortedMap<String, Expense> kept, Provisioning allowed, long now) {
        // The longest period, so that a limit that is stated later counts what was bought before.
        long from = Math.min(
                period(allowed).holding(now).start(), Period.MONTH.holding(now).start());
        SortedMap<String, Expense> counted = new TreeMap<>(kept);
        counted.values().removeIf(expense -> expense.bought() < from);
        counted.keySet().removeAll(refused);
        return counted;
    }

    private static Period period(Provisioning allowed) {
        Provisioning.Spending most = allowed.maxSpend();
        return most == null ? Period.MONTH : most.period();
    }

    private @Nullable SortedMap<String, Expense> kept() {
        if (expenses == null) {
            supplier.books().ifPresent(books -> {
                expenses = new TreeMap<>(books.expenses());
                experience.adopt(books);
            });
        }
        return expenses;
    }

    /** What this replica knew while it planned; another one may have planned since. */
    void forget() {
        expenses = null;
        experience.forget();
        counts.forget();
        started.clear();
        seen.clear();
        made.clear();
        refused.clear();
    }

    /** The purchases that a gang waits for. */
    private static Stream<PurchaseOrder> awaited(GangRecord standing) {
        Promise promise = standing.promise();
        return promise == null || standing.phase() != Phase.PROMISED
                ? Stream.empty()
                : promise.orders().stream().filter(order -> promise.window().isOn(order.node()));
    }

    private static Set<String> names(Collection<GangRecord> standings) {
        return standings.stream()
                .flatMap(NodePurchases::awaited)
                .map(PurchaseOrder::node)
                .collect(Collectors.toSet());
    }

    private static boolean isNeeded(Supplied node, Collection<GangRecord> standings) {
        return standings.stream()
                .filter(standing -> standing.phase() == Phase.PROMISED
                        || standing.phase() == Phase.STARTING
                        || standing.phase() == Phase.RUNNING)
                .map(GangRecord::promise)
                .anyMatch(promise -> promise != null
                        && (promise.window().isOn(node.name())
                                || (!node.node().isEmpty() && promise.window().isOn(node.node()))));
    }

    /** The next second after {@code now} in which a node is to be bought; empty: none is known. */
    OptionalLong deadline(Collection<GangRecord> standings, long now) {
        SortedMap<String, Supplied> nodes = supplier.nodes();
        return standings.stream()
                .flatMap(NodePurchases::awaited)
                .filter(order -> now <= order.ready() && !nodes.containsKey(order.node()))
                .mapToLong(order -> Math.max(order.bought(), now + 1))
                .min();
    }
}
