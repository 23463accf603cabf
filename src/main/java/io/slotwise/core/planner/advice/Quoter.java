package io.slotwise.core.planner.advice;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Cycle;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.provision.Acquisition;
import io.slotwise.core.provision.NodeMarket;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.provision.PurchaseContext;
import io.slotwise.core.provision.PurchaseSearch;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists the windows that a gang could have: every window that is Pareto-optimal in (start, cost) besides running gangs
 * and other promises, regardless of the gang's budget. A pure function like {@link Planner}.
 */
public final class Quoter {
    private final Policy policy;
    private final PromiseSlack slack;

    /** Creates a quoter for this policy, with promises never planned again. */
    public Quoter(Policy policy) {
        this.policy = policy.withReplan(Replan.NEVER);
        this.slack = policy.slack();
    }

    /**
     * Returns the menu of one gang of the snapshot, by ascending start and descending cost. A range of seconds in which
     * the cost falls has only its first and its last window. Other gangs without a promise are ignored.
     */
    public List<Window> menu(Snapshot snapshot, GangId gang) {
        Cycle cycle =
                new Cycle(snapshot, policy, policy.tariffs(snapshot.cluster().inventory()), PlannerResources.NONE);
        cycle.keepPromises();
        return cycle.questions().menu(gang);
    }

    /**
     * The windows that a gang could have.
     *
     * @param refusal the reason why the menu is empty; null if it is not empty
     * @param slack how much later than its window the gang may start
     * @param purchases the nodes to buy for each window of the menu; empty if nothing can be bought
     */
    public record Quote(
            List<Window> menu, @Nullable Refusal refusal, PromiseSlack slack, List<List<Purchase>> purchases) {
        public Quote {
            menu = List.copyOf(menu);
            purchases = List.copyOf(purchases);
        }

        public Quote(List<Window> menu, @Nullable Refusal refusal, PromiseSlack slack) {
            this(menu, refusal, slack, List.of());
        }

        public List<Purchase> purchases(int window) {
            return purchases.isEmpty() ? List.of() : purchases.get(window);
        }

        /** Returns what a reader with access to the gangs of these namespaces may see. */
        public Quote asSeen(Predicate<String> namespaces) {
            return new Quote(menu, refusal == null ? null : refusal.asSeen(namespaces), slack, purchases);
        }
    }

    /** Returns the menu of a gang that need not be in the snapshot. A gang of its name there is ignored. */
    public Quote quote(Snapshot snapshot, Gang gang) {
        List<Request> requests = new ArrayList<>(snapshot.requests());
        requests.removeIf(request -> request.gang().id().equals(gang.id()));
        requests.add(new Request(gang, null));
        Snapshot wholeSnapshot = snapshot.withRequests(requests);
        boolean mayBuy =
                policy.provisioning().mode() != Mode.NONE && !snapshot.offers().isEmpty();
        // No node is bought for a gang that starts after others.
        if (mayBuy && gang.after().isNone() && gang.provision() != Provision.NEVER) {
            return withPurchases(wholeSnapshot, gang);
        }
        List<Window> menu = menu(wholeSnapshot, gang.id());
        return new Quote(menu, menu.isEmpty() ? obstacle(wholeSnapshot, gang.id()) : null, slack);
    }

    private Quote withPurchases(Snapshot snapshot, Gang gang) {
        Snapshot otherSnapshot = snapshot.without(other -> !other.equals(gang.id()));
        PurchaseSearch search = new PurchaseSearch(
                gang,
                new NodeMarket(snapshot.offers(), policy.provisioning(), List.of(), snapshot.holdings()),
                new PurchaseContext(
                        otherSnapshot.cluster(),
                        otherSnapshot.balances(),
                        snapshot.now(),
                        snapshot.now() + policy.horizon(),
                        policy.turnover(),
                        policy.charge() == Policy.Charge.WHOLE_NODE,
                        otherSnapshot.queues()));
        List<Acquisition> menu = new ArrayList<>(search.menu());
        if (!gang.preferences().isNone()) {
            // The gang's best window need not be among the earliest or cheapest.
            search.best().filter(acquisition -> !menu.contains(acquisition)).ifPresent(menu::add);
            menu.sort(Comparator.comparingLong(
                            (Acquisition acquisition) -> acquisition.window().start())
                    .thenComparing(Acquisition::expectedCost));
        }
        return new Quote(
                menu.stream().map(Acquisition::window).toList(),
                menu.isEmpty() ? obstacle(snapshot, gang.id()) : null,
                slack,
                menu.stream().map(Acquisition::purchases).toList());
    }

    private Refusal obstacle(Snapshot snapshot, GangId gang) {
        Cycle cycle =
                new Cycle(snapshot, policy, policy.tariffs(snapshot.cluster().inventory()), PlannerResources.NONE);
        cycle.keepPromises();
        return cycle.questions().obstacle(gang);
    }
}
