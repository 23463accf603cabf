package io.slotwise.core.planner.purchase;

import static io.slotwise.testing.GangBuilder.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.ExactSearchTest;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.NodeHoldings;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PurchasePlannerTest {
    private static final long NOW = PlanBuilder.NOW;
    private static final long HOUR = 3600;
    private static final Policy BUYING = Policy.EXACT.withProvisioning(Provisioning.NONE.in(Mode.PLAN));

    /** At most this many nodes of one core for a unit an hour, there after a minute, and billed by the hour. */
    private static NodeOffer offer(int most) {
        return new NodeOffer(
                PlanBuilder.oneCore("small", Money.MICROS_PER_UNIT),
                new Billing(60, 0, HOUR, 0),
                PurchaseQuota.of("small", most),
                0);
    }

    private static Plan plan(Policy policy, List<Node> nodes, List<Occupation> load, int most, Gang... gangs) {
        return new Planner(policy)
                .plan(new Snapshot(
                                NOW,
                                new Cluster(nodes, load),
                                Stream.of(gangs)
                                        .map(one -> new Request(one, null))
                                        .toList(),
                                List.of())
                        .offering(List.of(offer(most))));
    }

    private static List<String> boughtFor(Plan plan) {
        return plan.buying().stream()
                .flatMap(buying -> buying.acquisition().purchases().stream())
                .map(purchase -> purchase.gang().name())
                .toList();
    }

    private static Window window(Plan plan, String gang) {
        return plan.buying().stream()
                .filter(buying -> buying.gang().id().name().equals(gang))
                .map(buying -> buying.acquisition().window())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aGangThatFitsNowhereBuysANodeAndPaysItsWholeBill() {
        Plan plan = plan(BUYING, List.of(), List.of(), 1, gang("g", 1, 500, 600).build());

        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending()).hasSize(1);
        assertThat(plan.buying()).singleElement().satisfies(buying -> {
            assertThat(buying.waitingWindow()).isNull();
            assertThat(buying.acquisition().window().start()).isEqualTo(NOW + 60);
            assertThat(buying.acquisition().window().cost()).isEqualTo(Cost.of(new Money(1_000_000)));
            assertThat(buying.acquisition().purchases()).singleElement().satisfies(purchase -> {
                assertThat(purchase.node()).isEqualTo("small-1");
                assertThat(purchase.bought()).isEqualTo(NOW);
                assertThat(purchase.ready()).isEqualTo(NOW + 60);
                assertThat(purchase.gone()).isEqualTo(NOW + HOUR);
            });
        });
    }

    @Test
    void nothingIsBoughtWhereThePolicyDoesNotAskForIt() {
        Plan plan = plan(
                Policy.EXACT, List.of(), List.of(), 1, gang("g", 1, 500, 600).build());

        assertThat(plan.buying()).isEmpty();
    }

    @Test
    void theIdleRestOfABoughtNodeIsRoomForOthersAndItsBuyerPaysTheWholeBill() {
        Plan plan = plan(
                BUYING,
                List.of(),
                List.of(),
                1,
                gang("first", 1, 500, 600).build(),
                gang("second", 1, 500, 1200).build());

        assertThat(boughtFor(plan)).containsExactly("first");
        assertThat(window(plan, "second").start()).isEqualTo(NOW + 60);
        assertThat(window(plan, "second").cost()).isEqualTo(Cost.product(500_000, 1200));
        assertThat(window(plan, "first").cost()).isEqualTo(Cost.of(new Money(1_000_000)));
    }

    @Test
    void theCriterionCostWaitsForACheapNodeAndBuysOneIfTheDeadlineComesFirst() {
        Node cheap = PlanBuilder.oneCore("cheap", 100_000);
        Occupation busy = new Occupation(
                "user/p", "cheap", Resources.of(Map.of(Resources.CPU, 1000L)), new Interval(NOW - 10, NOW + 2 * HOUR));
        Gang patient = gang("g", 1, 1000, 600).criterion(Criterion.COST).build();
        Gang pressed = gang("g", 1, 1000, 600)
                .criterion(Criterion.COST)
                .deadline(NOW + HOUR)
                .build();

        Plan waits = plan(BUYING, List.of(cheap), List.of(busy), 1, patient);
        Plan buys = plan(BUYING, List.of(cheap), List.of(busy), 1, pressed);

        assertThat(waits.buying()).isEmpty();
        assertThat(waits.windows())
                .singleElement()
                .satisfies(planned -> assertThat(planned.window().start()).isEqualTo(NOW + 2 * HOUR));
        assertThat(boughtFor(buys)).containsExactly("g");
    }

    @Test
    void aPurchaseIsShownNextToTheWorseWaitAndTheWindowStays() {
        Node busy = PlanBuilder.oneCore("busy", 100_000);
        Occupation load = new Occupation(
                "user/p", "busy", Resources.of(Map.of(Resources.CPU, 1000L)), new Interval(NOW - 10, NOW + 2 * HOUR));

        Plan plan = plan(
                BUYING,
                List.of(busy),
                List.of(load),
                1,
                gang("g", 1, 1000, 600).criterion(Criterion.START).build());

        assertThat(plan.windows()).singleElement().satisfies(planned -> {
            assertThat(planned.window().start()).isEqualTo(NOW + 2 * HOUR);
            assertThat(plan.buying().getFirst().waitingWindow()).isEqualTo(planned.window());
        });
        assertThat(window(plan, "g").start()).isEqualTo(NOW + 60);
    }

    @Test
    void limitsOfOffersAndOfThePolicyHoldForAllGangsTogether() {
        Gang[] gangs = IntStream.range(0, 4)
                .mapToObj(i ->
                        gang("g" + i, 1, 1000, HOUR).deadline(NOW + 2 * HOUR).build())
                .toArray(Gang[]::new);
        Provisioning allowed = BUYING.provisioning();
        // A node that is used for an hour exists a minute longer, and is billed for two hours.
        Provisioning cheap = new Provisioning(
                Mode.PLAN,
                allowed.maxNodes(),
                new Provisioning.Spending(new Money(4_500_000), Period.DAY),
                allowed.spotRisk());
        Provisioning few = new Provisioning(Mode.PLAN, 1, null, allowed.spotRisk());

        assertThat(boughtFor(plan(BUYING, List.of(), List.of(), 3, gangs))).hasSize(3);
        assertThat(boughtFor(plan(BUYING.withProvisioning(cheap), List.of(), List.of(), 9, gangs)))
                .hasSize(2);
        assertThat(boughtFor(plan(BUYING.withProvisioning(few), List.of(), List.of(), 9, gangs)))
                .hasSize(1);
    }

    @Test
    void theBudgetOfANamespaceHoldsForPurchases() {
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(List.of(), List.of()),
                        List.of(
                                new Request(gang("a", 1, 1000, 600).build(), null),
                                new Request(gang("b", 1, 1000, 600).build(), null)),
                        List.of())
                .withAccounts(List.of(new Account("user", NOW - 10, NOW + 30 * HOUR, Cost.of(new Money(1_500_000)))))
                .offering(List.of(offer(5)));

        Plan plan = new Planner(BUYING).plan(snapshot);

        assertThat(boughtFor(plan)).containsExactly("a");
    }

    @Test
    void aSpotNodeIsBoughtOnlyWithinTheRiskAndCountsWithTheRunsThatItCosts() {
        NodeOffer spot = new NodeOffer(
                PlanBuilder.oneCore("spot", 500_000), new Billing(60, 0, 1, 0), PurchaseQuota.of("spot", 1), 100_000);
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(List.of(), List.of()),
                        List.of(new Request(
                                gang("g", 1, 1000, HOUR)
                                        .criterion(Criterion.COST)
                                        .build(),
                                null)),
                        List.of())
                .offering(List.of(spot));
        Provisioning bold = new Provisioning(Mode.PLAN, 10, null, 100_000);

        Plan careful = new Planner(BUYING).plan(snapshot);
        Plan risking = new Planner(BUYING.withProvisioning(bold)).plan(snapshot);

        assertThat(careful.buying()).isEmpty();
        assertThat(risking.buying()).singleElement().satisfies(buying -> {
            assertThat(buying.acquisition().window().cost()).isEqualTo(Cost.product(500_000, HOUR + 60));
            // One run in ten loses its node, and is paid again.
            assertThat(buying.acquisition().expectedCost())
                    .isEqualTo(new Cost(Math.ceilDiv(500_000 * (HOUR + 60) * 10, 9)));
        });
    }

    @Test
    void boughtNodesHoldTheirPodsQuotasHoldAndBuyersPayEveryBill() {
        int bought = 0;
        int shared = 0;
        for (int seed = 0; seed < 60; seed++) {
            RandomClusters clusters = new RandomClusters(ExactSearchTest.seeded(seed));
            Cluster cluster = clusters.cluster(2);
            List<NodeOffer> offers = clusters.offers(2);
            List<Request> requests = ExactSearchTest.requests(clusters, 5);
            Policy policy = ExactSearchTest.policy(RandomClusters.SPAN, seed % 3)
                    .withProvisioning(Provisioning.NONE.in(Mode.PLAN));
            Snapshot snapshot = new Snapshot(RandomClusters.NOW, cluster, requests, List.of()).offering(offers);

            Plan plan = new Planner(policy).plan(snapshot);
            Plan without = new Planner(policy.withProvisioning(Provisioning.NONE)).plan(snapshot);

            assertThat(plan.windows()).as("seed %d", seed).isEqualTo(without.windows());
            assertThat(plan.pending()).as("seed %d", seed).isEqualTo(without.pending());
            List<Purchase> purchases = plan.buying().stream()
                    .flatMap(buying -> buying.acquisition().purchases().stream())
                    .toList();
            Map<GangId, Window> windows = new HashMap<>();
            plan.windows().forEach(planned -> windows.put(planned.gang().id(), planned.window()));
            plan.buying()
                    .forEach(buying ->
                            windows.put(buying.gang().id(), buying.acquisition().window()));
            assertThat(overfull(snapshot, policy, purchases, windows))
                    .as("seed %d", seed)
                    .isEmpty();
            for (NodeOffer offer : offers) {
                assertThat(purchases.stream()
                                .filter(purchase -> purchase.offer()
                                        .quota()
                                        .name()
                                        .equals(offer.quota().name())))
                        .as("seed %d", seed)
                        .hasSizeLessThanOrEqualTo(offer.quota().nodes());
            }
            for (Purchase purchase : purchases) {
                assertThat(paid(windows, purchase, true))
                        .as("seed %d: %s", seed, purchase.node())
                        .isEqualTo(purchase.bill());
                bought++;
                shared += paid(windows, purchase, false).compareTo(Cost.ZERO) > 0 ? 1 : 0;
            }
        }
        assertThat(bought).isGreaterThan(30);
        assertThat(shared).isPositive();
    }

    private static Cost paid(Map<GangId, Window> windows, Purchase purchase, boolean byTheBuyer) {
        return windows.values().stream()
                .filter(window -> window.gang().equals(purchase.gang()) == byTheBuyer)
                .flatMap(window -> window.placements().stream())
                .filter(placement -> placement.node().equals(purchase.node()))
                .map(Placement::cost)
                .reduce(Cost.ZERO, Cost::plus);
    }

    /** Nodes on which pods request more than there is in some second, or run while the node does not exist. */
    private static List<String> overfull(
            Snapshot snapshot, Policy policy, List<Purchase> purchases, Map<GangId, Window> windows) {
        Map<String, Node> nodes = new HashMap<>();
        snapshot.cluster().inventory().forEach(node -> nodes.put(node.name(), node));
        purchases.forEach(
                purchase -> nodes.put(purchase.node(), purchase.offer().node()));
        List<Occupation> all = new ArrayList<>(snapshot.cluster().occupations());
        Map<GangId, Gang> gangs = new HashMap<>();
        snapshot.requests().forEach(request -> gangs.put(request.gang().id(), request.gang()));
        List<String> faults = new ArrayList<>();
        List<Placement> placements = new ArrayList<>();
        windows.forEach((id, window) -> {
            for (Placement placement : window.placements()) {
                placements.add(placement);
                all.add(new Occupation(
                        placement.pod(),
                        placement.node(),
                        Objects.requireNonNull(gangs.get(id))
                                .requestOf(placement.pod())
                                .resources(),
                        new Interval(placement.start(), placement.end())));
                purchases.stream()
                        .filter(purchase -> purchase.node().equals(placement.node())
                                && (placement.start() < purchase.ready() || placement.end() > purchase.end()))
                        .forEach(purchase ->
                                faults.add(placement.pod() + " is on " + placement.node() + " while it is not there"));
            }
        });
        for (Placement placement : placements) {
            Node node = Objects.requireNonNull(nodes.get(placement.node()));
            Map<String, Long> taken = new HashMap<>();
            all.stream()
                    .filter(held -> held.node().equals(placement.node())
                            && held.interval().start() <= placement.start()
                            && placement.start() < held.interval().end() + policy.turnover())
                    .forEach(held ->
                            held.resources().asMap().forEach((what, much) -> taken.merge(what, much, Long::sum)));
            taken.forEach((what, much) -> {
                if (much > node.allocatable().get(what)) {
                    faults.add("%s has %d %s at %d".formatted(node.name(), much, what, placement.start()));
                }
            });
        }
        return faults;
    }

    @Test
    void aGangWithAPurchaseHasItsWindowOnTheBoughtNodes() {
        Policy policy = Policy.EXACT.withProvisioning(Provisioning.NONE.in(Mode.BUY));
        Gang gang = gang("g", 2, 800, 600).build();

        Plan plan = plan(policy, List.of(), List.of(), 2, gang);

        assertThat(plan.pending()).isEmpty();
        assertThat(plan.windows()).singleElement().satisfies(planned -> {
            assertThat(planned.window().start()).isEqualTo(NOW + 60);
            assertThat(planned.orders()).hasSize(2).allSatisfy(order -> {
                assertThat(order.bought()).isEqualTo(NOW);
                assertThat(order.ready()).isEqualTo(NOW + 60);
                assertThat(order.end()).isEqualTo(NOW + HOUR);
                assertThat(planned.window().isOn(order.node())).isTrue();
            });
            assertThat(planned.promise(false).awaitsNodes()).isTrue();
        });
        assertThat(plan(policy, List.of(), List.of(), 2, gang).windows()).isEqualTo(plan.windows());
    }

    @Test
    void earlierPurchasesCountAgainstTheLimits() {
        Policy policy = Policy.EXACT.withProvisioning(
                new Provisioning(Mode.BUY, 3, new Provisioning.Spending(new Money(3_000_000), Period.DAY), 0));
        PurchaseOrder order = new PurchaseOrder(
                "slotwise-1", "small", NOW, NOW + 60, NOW + HOUR, Money.MICROS_PER_UNIT, 3_600_000_000L);
        Cost unit = Cost.of(new Money(1_000_000));
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(List.of(), List.of()),
                        List.of(new Request(
                                gang("g", 2, 800, 600).deadline(NOW + 2 * HOUR).build(), null)),
                        List.of())
                .offering(List.of(offer(5)));

        assertThat(bought(
                        policy,
                        snapshot.withHoldings(
                                new NodeHoldings(List.of(order), 0, List.of(order.expense(new GangId("user", "h")))))))
                .isEqualTo(2);
        assertThat(bought(
                        policy,
                        snapshot.withHoldings(
                                new NodeHoldings(List.of(order), 1, List.of(order.expense(new GangId("user", "h")))))))
                .isZero();
        assertThat(bought(
                        policy,
                        snapshot.withHoldings(new NodeHoldings(
                                List.of(),
                                0,
                                List.of(order.expense(new GangId("user", "h")), new Expense(NOW, unit, "user"))))))
                .isZero();
        assertThat(bought(policy, snapshot.offering(List.of(offer(1))))).isZero();
    }

    private static long bought(Policy policy, Snapshot snapshot) {
        return new Planner(policy)
                .plan(snapshot).windows().stream()
                        .mapToLong(planned -> planned.orders().size())
                        .sum();
    }

    @Test
    void promisedAndUnwillingGangsUseOnlyExistingNodes() {
        Policy policy = Policy.EXACT.withProvisioning(Provisioning.NONE.in(Mode.BUY));
        Node there = PlanBuilder.oneCore("there", 0);
        Gang waits = gang("g", 1, 800, 600).earliestStart(NOW + HOUR).build();
        Window late = Window.of(
                waits.id(),
                NOW + 2 * HOUR,
                List.of(new Placement("g-0", "there", NOW + 2 * HOUR, NOW + 2 * HOUR + 600, Cost.ZERO)));
        Gang never = waits.asking(waits.demand().withProvision(Provision.NEVER));
        Snapshot snapshot = new Snapshot(NOW, new Cluster(List.of(there), List.of()), List.of(), List.of())
                .offering(List.of(offer(5)));

        assertThat(bought(
                        policy,
                        snapshot.withRequests(
                                List.of(new Request(waits, new Promise(late, WindowOrigin.CYCLIC, false))))))
                .isZero();
        assertThat(bought(
                        policy,
                        new Snapshot(
                                        NOW,
                                        new Cluster(List.of(), List.of()),
                                        List.of(new Request(never, null)),
                                        List.of())
                                .offering(List.of(offer(5)))))
                .isZero();
    }
}
