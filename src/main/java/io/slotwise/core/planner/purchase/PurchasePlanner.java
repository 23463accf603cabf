package io.slotwise.core.planner.purchase;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.provision.Acquisition;
import io.slotwise.core.provision.NodeMarket;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.provision.PurchaseContext;
import io.slotwise.core.provision.PurchaseSearch;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Plans purchases of nodes after every gang has the window that it could have on existing nodes. In queue order every
 * gang searches the best window with purchases next to the windows of all others, including windows on nodes to be
 * bought. Idle rests of bought nodes are ordinary room at the usual cost. A gang takes such a window if it is better by
 * its own criterion, and gives up its former room.
 *
 * <p>The gang for which a node is bought pays the whole bill. One search for each gang, see {@link PurchaseSearch}. No
 * node is bought for a gang that starts after others.
 */
public final class PurchasePlanner {
    private final Policy policy;
    private final Snapshot snapshot;
    /** The gangs that had no promise before this cycle. */
    private final Set<GangId> unpromised;

    private final List<PurchaseAdvice> found = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private NodeMarket market;
    /** The first second in which a node that is bought now can be there. */
    private final long firstReady;

    public PurchasePlanner(Policy policy, Snapshot snapshot) {
        this.policy = policy;
        this.snapshot = snapshot;
        this.unpromised = snapshot.requests().stream()
                .filter(request -> request.promise() == null)
                .map(request -> request.gang().id())
                .collect(Collectors.toSet());
        this.firstReady = snapshot.now()
                + snapshot.offers().stream()
                        .mapToLong(offer -> offer.billing().delay())
                        .min()
                        .orElse(0);
        this.market = new NodeMarket(snapshot.offers(), policy.provisioning(), List.of(), snapshot.holdings());
    }

    /** Returns a plan of this snapshot with the purchases that would be made. Its windows do not change. */
    public Plan beside(Plan plan, List<GangId> order) {
        Snapshot publishedSnapshot = snapshot.published(plan);
        for (GangId id : order) {
            publishedSnapshot = look(publishedSnapshot, plan, id);
        }
        return plan.buying(found, notes);
    }

    /**
     * Returns a plan of this snapshot with purchases made. A gang for which a purchase is better has its window on the
     * bought nodes, under permanent names. Gangs that were promised a window before keep it.
     */
    public Plan buying(Plan plan, List<GangId> order) {
        Plan advisedPlan = beside(plan, order);
        Map<String, String> names = new HashMap<>();
        Map<GangId, Planned> windows = new LinkedHashMap<>();
        plan.windows().forEach(planned -> windows.put(planned.gang().id(), planned));
        List<PurchaseAdvice> named = new ArrayList<>();
        for (PurchaseAdvice advice : advisedPlan.buying()) {
            advice.acquisition().purchases().forEach(purchase -> names.put(purchase.node(), purchase.lasting()));
        }
        for (PurchaseAdvice advice : advisedPlan.buying()) {
            Acquisition boughtAcquisition = advice.acquisition().named(names);
            named.add(new PurchaseAdvice(advice.gang(), boughtAcquisition, advice.waitingWindow()));
            windows.put(
                    advice.gang().id(),
                    new Planned(advice.gang(), boughtAcquisition.window(), WindowOrigin.CYCLIC, false)
                            .withOrders(boughtAcquisition.purchases().stream()
                                    .map(Purchase::order)
                                    .toList()));
        }
        return plan.deciding(
                        windows.values().stream()
                                .sorted(Comparator.comparingLong((Planned planned) ->
                                                planned.window().start())
                                        .thenComparing(planned -> planned.gang().id()))
                                .toList(),
                        plan.pending().stream()
                                .filter(pending -> !windows.containsKey(pending.gang()))
                                .toList(),
                        plan.broken(),
                        plan.notes())
                .buying(named, notes);
    }

    private boolean mayBuy(Request request) {
        if (request.gang().provision() == Provision.NEVER
                || !request.gang().after().isNone()) {
            return false;
        }
        if (policy.provisioning().mode() == Mode.BUY) {
            return unpromised.contains(request.gang().id());
        }
        Promise promise = request.promise();
        return promise == null || !promise.released();
    }

    /**
     * Returns whether no purchase can be better for a gang: the gang minimizes its start, and starts before a node that
     * is bought now is there. Every node of this plan is ready no earlier than the offer's delay after now. So a window
     * that uses one starts later than the gang's own, and an earlier start comes before all else for the gang.
     */
    private boolean startsBeforeAnyPurchase(Request request) {
        Promise promise = request.promise();
        return promise != null
                && request.gang().criterion() == Criterion.START
                && promise.window().start() < firstReady;
    }

    /** Returns the surroundings of a gang's purchases, with its own window given up. */
    private PurchaseContext context(Snapshot publishedSnapshot, Plan plan, GangId gang) {
        Snapshot otherSnapshot = publishedSnapshot.without(other -> !gang.equals(other));
        return new PurchaseContext(
                otherSnapshot.cluster(),
                otherSnapshot.balances(),
                snapshot.now(),
                plan.horizonEnd(),
                policy.turnover(),
                policy.charge() == Policy.Charge.WHOLE_NODE,
                otherSnapshot.queues());
    }

    private Snapshot look(Snapshot snapshot, Plan plan, GangId id) {
        Request request = snapshot.requests().stream()
                .filter(one -> one.gang().id().equals(id))
                .findFirst()
                .orElse(null);
        if (request == null
                || market.isClosed()
                || !mayBuy(request)
                || startsBeforeAnyPurchase(request)
                || !market.serves(request.gang())) {
            return snapshot;
        }
        PurchaseSearch search = new PurchaseSearch(request.gang(), market, context(snapshot, plan, id));
        Acquisition bestAcquisition = search.best().orElse(null);
        if (search.bounded()) {
            notes.add("the search for what to buy for %s was bounded: there may be a better window".formatted(id));
        }
        Promise promise = request.promise();
        Window ownWindow = promise == null ? null : promise.window();
        if (bestAcquisition == null
                || !isOnBoughtNodes(bestAcquisition)
                || !search.isBetter(bestAcquisition, ownWindow)) {
            return snapshot;
        }
        found.add(new PurchaseAdvice(request.gang(), bestAcquisition, ownWindow));
        market = market.after(bestAcquisition.purchases());
        return snapshot.withRequests(snapshot.requests().stream()
                .map(one -> one.gang().id().equals(id)
                        ? one.with(new Promise(bestAcquisition.window(), WindowOrigin.CYCLIC, false))
                        : one)
                .toList());
    }

    private boolean isOnBoughtNodes(Acquisition acquisition) {
        Set<String> bought = market.bought().stream().map(Purchase::node).collect(Collectors.toSet());
        return !acquisition.purchases().isEmpty()
                || acquisition.window().placements().stream().anyMatch(placement -> bought.contains(placement.node()));
    }
}
