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
 * Charges nodes that were bought for gangs which go before they start. The cost of a run is in the run's own ledger
 * entry. The entry of a purchase has the purchase's name, so that it is written once even if a step is repeated, and
 * before the record that names the purchase.
 */
final class PurchaseCharges {
    /** The purchases for gangs that are not known to have run to their end. */
    private final SortedMap<String, Bought> unstarted = new TreeMap<>();

    /**
     * The known purchases.
     *
     * @param made the purchases that are not seen yet
     */
    record Purchases(SortedMap<String, Supplied> nodes, Set<String> made, List<NodeOffer> offered) {}

    /**
     * A node that was bought for a gang that has not started.
     *
     * @param exists whether there was a node
     */
    private record Bought(GangRecord record, PurchaseOrder order, boolean exists) {}

    /**
     * Charges the namespaces of gangs that went or lost their windows before they started. Each node costs what is paid
     * until it is given up now, or until the last window on it ends. A refused purchase costs nothing. May be called
     * again in the same cycle, for the changes of a plan.
     */
    void charge(Purchases purchases, RecordUpdates updates, LedgerUpdate ledgerUpdate, long now) {
        for (RecordUpdate update : updates.all()) {
            GangRecord record = update.before();
            Promise promise = record.phase().started() ? null : record.promise();
            for (PurchaseOrder order : promise == null ? List.<PurchaseOrder>of() : promise.orders()) {
                Supplied supplied = purchases.nodes().get(order.node());
                if (supplied != null || purchases.made().contains(order.node())) {
                    Bought knownBought = unstarted.get(order.node());
                    boolean exists = (knownBought != null && knownBought.exists())
                            || (supplied != null && !supplied.node().isEmpty());
                    unstarted.put(order.node(), new Bought(record, order, exists));
                }
            }
        }
        unstarted.values().removeIf(bought -> settle(bought, purchases, updates, ledgerUpdate, now));
    }

    /** Charges a purchase if its gang has lost it. Returns whether nothing more is to be charged for it. */
    private boolean settle(
            Bought bought, Purchases purchases, RecordUpdates updates, LedgerUpdate ledgerUpdate, long now) {
        PurchaseOrder order = bought.order();
        GangRecord gangRecord = bought.record();
        RecordUpdate update = updates.byGang().get(gangRecord.gang());
        if (update != null && !update.before().uid().equals(gangRecord.uid())) {
            update = null;
        }
        Promise promise =
                update == null || update.gone() ? null : update.after().promise();
        if (update != null && paysAsRun(update, gangRecord)) {
            return true;
        }
        if (promise != null && promise.orders().contains(order)) {
            return false;
        }
        Supplied supplied = purchases.nodes().get(order.node());
        if (!bought.exists()
                && !purchases.made().contains(order.node())
                && (supplied == null || supplied.state() == State.GONE)) {
            return true;
        }
        long until = updates.after().stream()
                .flatMap(record -> Stream.ofNullable(record.promise()))
                .flatMap(other -> other.window().placements().stream())
                .filter(placement -> placement.node().equals(order.node())
                        || (supplied != null && placement.node().equals(supplied.node())))
                .mapToLong(Placement::end)
                .reduce(Math.max(now, order.bought() + 1), Math::max);
        LedgerEntry entry = new LedgerEntry(
                        new LedgerEntry.Key(order.node(), order.bought()),
                        gangRecord.gang().name(),
                        order.end(),
                        new Cost(order.bill()),
                        new LedgerEntry.Settled(new Charge(bill(order, until, purchases.offered()), Cost.ZERO), now))
                .withQueue(gangRecord.terms().queue());
        boolean isDone = ledgerUpdate.charge(gangRecord.gang().namespace(), entry);
        if (!isDone && update != null) {
            update.awaitLedger();
        }
        return isDone;
    }

    /** Returns whether the gang has run, so that its run pays for the purchase. */
    private static boolean paysAsRun(RecordUpdate update, GangRecord record) {
        MigrationHistory history = update.after().history().history();
        long start = Objects.requireNonNull(record.promise()).window().start();
        return update.before().phase() == Phase.COMPLETED
                || update.after().phase() == Phase.COMPLETED
                || (history != null && history.legs().stream().anyMatch(leg -> leg.start() == start));
    }

    /** Returns the cost of a node that is given up then, or the planned cost if the offer is no longer known. */
    private static Cost bill(PurchaseOrder order, long until, List<NodeOffer> offered) {
        Cost cost = new Cost(order.bill());
        return offered.stream()
                .filter(offer -> offer.name().equals(order.offer()))
                .map(offer -> offer.billing().after(order.ready() - order.bought()))
                .map(billing -> Cost.product(order.price(), billing.billed(until - order.ready())))
                .findFirst()
                .map(cost::min)
                .orElse(cost);
    }

    void forget() {
        unstarted.clear();
    }
}
