package io.slotwise.live.cycle;

import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.window.Placement;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Charges nodes that were bought for gangs which go before they start: what a run costs, its own entry in the ledger
 * says. The entry of a purchase has the purchase's name, so that it is written once whoever repeats the step, and the
 * record that names the purchase is not written before.
 */
final class PurchaseCharges {
    /** What was bought for gangs that are not known to have run to their ends. */
    private final SortedMap<String, Bought> unstarted = new TreeMap<>();

    /**
     * What is known of purchases.
     *
     * @param nodes that are seen
     * @param made the purchases that are made and not seen yet
     * @param offered what can be bought
     */
    record Purchases(SortedMap<String, Supplied> nodes, Set<String> made, List<NodeOffer> offered) {}

    /**
     * A node that was bought for a gang that has not started.
     *
     * @param buyer the record that names it
     * @param exists whether there was a node
     */
    private record Bought(GangRecord buyer, PurchaseOrder order, boolean exists) {}

    /**
     * Charges the namespaces of gangs that went, or lost their windows, before they started: for each node that was
     * bought for such a gang what is paid until now, when it is given up, or until the last window on it ends. One that
     * was refused costs nothing. May be asked again in the same cycle, for what a plan has changed.
     */
    void charge(Purchases purchases, RecordUpdates updates, LedgerUpdate books, long now) {
        for (RecordUpdate update : updates.all()) {
            GangRecord record = update.before();
            Promise promise = record.phase().started() ? null : record.promise();
            for (PurchaseOrder order : promise == null ? List.<PurchaseOrder>of() : promise.orders()) {
                Supplied node = purchases.nodes().get(order.node());
                if (node != null || purchases.made().contains(order.node())) {
                    Bought known = unstarted.get(order.node());
                    boolean exists = (known != null && known.exists())
                            || (node != null && !node.node().isEmpty());
                    unstarted.put(order.node(), new Bought(record, order, exists));
                }
            }
        }
        unstarted.values().removeIf(one -> settle(one, purchases, updates, books, now));
    }

    /** Charges a purchase if its gang has lost it; whether nothing more is to be charged for it. */
    private boolean settle(Bought bought, Purchases purchases, RecordUpdates updates, LedgerUpdate books, long now) {
        PurchaseOrder order = bought.order();
        GangRecord buyer = bought.buyer();
        RecordUpdate update = updates.byGang().get(buyer.gang());
        if (update != null && !update.before().uid().equals(buyer.uid())) {
            update = null;
        }
        Promise promise =
                update == null || update.gone() ? null : update.after().promise();
        if (update != null && paysAsRun(update, buyer)) {
            return true;
        }
        if (promise != null && promise.orders().contains(order)) {
            return false;
        }
        Supplied node = purchases.nodes().get(order.node());
        if (!bought.exists()
                && !purchases.made().contains(order.node())
                && (node == null || node.state() == State.GONE)) {
            return true;
        }
        long until = updates.after().stream()
                .flatMap(record -> Stream.ofNullable(record.promise()))
                .flatMap(other -> other.window().placements().stream())
                .filter(place -> place.node().equals(order.node())
                        || (node != null && place.node().equals(node.node())))
                .mapToLong(Placement::end)
                .reduce(Math.max(now, order.bought() + 1), Math::max);
        LedgerEntry entry = new LedgerEntry(
                new LedgerEntry.Key(order.node(), order.bought()),
                buyer.gang().name(),
                order.end(),
                new Cost(order.bill()),
                new LedgerEntry.Settled(new Charge(bill(order, until, purchases.offered()), Cost.ZERO), now));
        boolean isDone = books.charge(buyer.gang().namespace(), entry);
        if (!isDone && update != null) {
            update.awaitLedger();
        }
        return isDone;
    }

    /** Whether the gang has run, so that its run pays what was bought for it. */
    private static boolean paysAsRun(RecordUpdate update, GangRecord buyer) {
        MigrationHistory past = update.after().history().past();
        long start = Objects.requireNonNull(buyer.promise()).window().start();
        return update.before().phase() == Phase.COMPLETED
                || update.after().phase() == Phase.COMPLETED
                || (past != null && past.legs().stream().anyMatch(leg -> leg.start() == start));
    }

    /** What is paid for a node that is given up then; as was counted where its offer is not known any more. */
    private static Cost bill(PurchaseOrder order, long until, List<NodeOffer> offered) {
        Cost whole = new Cost(order.bill());
        return offered.stream()
                .filter(offer -> offer.name().equals(order.offer()))
                .map(offer -> offer.billing().after(order.ready() - order.bought()))
                .map(billing -> Cost.product(order.price(), billing.billed(until - order.ready())))
                .findFirst()
                .map(whole::min)
                .orElse(whole);
    }

    /** Another replica charges from now on. */
    void forget() {
        unstarted.clear();
    }
}
