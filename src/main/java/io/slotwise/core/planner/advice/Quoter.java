package io.slotwise.core.planner.advice;

import io.slotwise.core.combination.AccountBalances;
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
 * What a gang could have: every window that is Pareto-optimal in (start, cost) beside what runs and what is promised to
 * others, whatever its budget. As pure as {@link Planner}.
 */
public final class Quoter {
    private final Policy policy;
    private final PromiseSlack slack;

    /** A quoter for this policy, under which no promise is planned anew. */
    public Quoter(Policy policy) {
        this.policy = policy.withReplan(Replan.NEVER);
        this.slack = policy.slack();
    }

    /**
     * The menu of one gang of the snapshot, by ascending start and descending cost; of a stretch of seconds in which
     * the cost falls only the first and the last. Other gangs without a promise are left out of account.
     */
    public List<Window> menu(Snapshot snapshot, GangId gang) {
        Cycle cycle =
                new Cycle(snapshot, policy, policy.tariffs(snapshot.cluster().inventory()), PlannerResources.NONE);
        cycle.keepPromises();
        return cycle.questions().menu(gang);
    }

    /**
     * What a gang could have.
     *
     * @param refusal why the menu is empty; null: it is not
     * @param slack how much later than in its window the gang may start
     * @param purchases for each window of the menu the nodes that are bought for it; empty: nothing can be bought
     */
    public record Quote(
            List<Window> menu, @Nullable Refusal refusal, PromiseSlack slack, List<List<Purchase>> purchases) {
        public Quote {
            menu = List.copyOf(menu);
            purchases = List.copyOf(purchases);
        }

        /** A quote where nothing can be bought. */
        public Quote(List<Window> menu, @Nullable Refusal refusal, PromiseSlack slack) {
            this(menu, refusal, slack, List.of());
        }

        /** The nodes that are bought for a window of the menu. */
        public List<Purchase> purchases(int window) {
            return purchases.isEmpty() ? List.of() : purchases.get(window);
        }

        /** What a reader may know of it who may know of the gangs of these namespaces. */
        public Quote asSeen(Predicate<String> namespaces) {
            return new Quote(menu, refusal == null ? null : refusal.asSeen(namespaces), slack, purchases);
        }
    }

    /** The menu of a gang that need not be in the snapshot, or why it is empty; its namesake is left out of account. */
    public Quote quote(Snapshot snapshot, Gang gang) {
        List<Request> requests = new ArrayList<>(snapshot.requests());
        requests.removeIf(request -> request.gang().id().equals(gang.id()));
        requests.add(new Request(gang, null));
        Snapshot wholeSnapshot = snapshot.withRequests(requests);
        boolean mayBuy =
                policy.provisioning().mode() != Mode.NONE && !snapshot.offers().isEmpty();
        // For a gang that starts after others no node is bought.
        if (mayBuy && gang.after().isNone() && gang.provision() != Provision.NEVER) {
            return withPurchases(wholeSnapshot, gang);
        }
        List<Window> menu = menu(wholeSnapshot, gang.id());
        return new Quote(menu, menu.isEmpty() ? obstacle(wholeSnapshot, gang.id()) : null, slack);
    }

    /** The menu of what is there and what can be bought together. */
    private Quote withPurchases(Snapshot snapshot, Gang gang) {
        Snapshot otherSnapshot = snapshot.without(other -> !other.equals(gang.id()));
        PurchaseSearch search = new PurchaseSearch(
                gang,
                new NodeMarket(snapshot.offers(), policy.provisioning(), List.of(), snapshot.holdings()),
                new PurchaseContext(
                        otherSnapshot.cluster(),
                        new AccountBalances(otherSnapshot.accounts()),
                        snapshot.now(),
                        snapshot.now() + policy.horizon(),
                        policy.turnover(),
                        policy.charge() == Policy.Charge.WHOLE_NODE));
        List<Acquisition> menu = new ArrayList<>(search.menu());
        if (!gang.preferences().isNone()) {
            // What the gang would get need not be among the earliest or cheapest.
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
