package io.slotwise.core.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.testing.PlanBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HeadroomTest {
    private static final long NOW = PlanBuilder.NOW;
    private static final long DELAY = 60;

    private static NodeOffer offer(String name, int most) {
        return new NodeOffer(
                PlanBuilder.oneCore(name, Money.MICROS_PER_UNIT),
                new Billing(DELAY, 0, 60, 0),
                PurchaseQuota.of(name, most),
                0);
    }

    private static Provisioning allowed(int nodes, String money) {
        return new Provisioning(
                Provisioning.Mode.BUY, nodes, new Provisioning.Spending(Money.parse(money), Period.DAY), 0);
    }

    private static Headroom headroom(Map<String, Integer> nodes) {
        return new Headroom(new TreeMap<>(nodes), 600);
    }

    private static NodeMarket market(Provisioning allowed, List<PurchaseOrder> held, NodeOffer... offers) {
        return new NodeMarket(
                List.of(offers),
                allowed,
                List.of(),
                new NodeHoldings(
                        held, 0, held.stream().map(PurchaseOrder::expense).toList()));
    }

    private static List<PurchaseOrder> orders(List<Purchase> purchases) {
        return purchases.stream().map(Purchase::order).toList();
    }

    @Test
    void buysWhatIsMissingForTheTimeOfThePolicyInWholeSteps() {
        NodeMarket market = market(allowed(10, "100"), List.of(), offer("a", 5), offer("b", 5));

        List<Purchase> missing = headroom(Map.of("a", 2, "c", 1)).missing(List.of(), market, NOW);

        assertThat(missing).hasSize(2).allSatisfy(one -> {
            assertThat(one.offer().name()).isEqualTo("a");
            assertThat(one.bought()).isEqualTo(NOW);
            assertThat(one.end() - one.ready()).isEqualTo(600);
            assertThat(one.bill()).isEqualTo(Cost.product(Money.MICROS_PER_UNIT, 660));
            assertThat(PurchaseOrder.names(one.node())).isTrue();
        });
        assertThat(missing.getFirst().node()).isNotEqualTo(missing.getLast().node());
    }

    @Test
    void oneThatEndsBeforeAnotherIsReadyIsReplacedAndStays() {
        NodeOffer a = offer("a", 5);
        Headroom one = headroom(Map.of("a", 1));
        NodeMarket empty = market(allowed(10, "100"), List.of(), a);
        List<PurchaseOrder> there = orders(one.missing(List.of(), empty, NOW));
        NodeMarket market = market(allowed(10, "100"), there, a);
        long last = there.getFirst().end() - DELAY;

        assertThat(Headroom.nextChange(there, market, NOW)).hasValue(last);
        assertThat(one.missing(there, market, last - 1)).isEmpty();
        assertThat(one.missing(there, market, last))
                .singleElement()
                .satisfies(next ->
                        assertThat(next.ready()).isEqualTo(there.getFirst().end()));
        assertThat(one.surplus(there, market, last)).isEmpty();
    }

    @Test
    void ofTooManyTheOneGoesThatEndsFirst() {
        NodeOffer a = offer("a", 5);
        NodeMarket market = market(allowed(10, "100"), List.of(), a);
        List<PurchaseOrder> early = orders(headroom(Map.of("a", 1)).missing(List.of(), market, NOW));
        List<PurchaseOrder> late = orders(headroom(Map.of("a", 1)).missing(List.of(), market, NOW + 5));
        List<PurchaseOrder> both = Stream.concat(early.stream(), late.stream()).toList();

        assertThat(headroom(Map.of("a", 1)).surplus(both, market, NOW + 10)).isEqualTo(early);
        assertThat(headroom(Map.of("a", 2)).surplus(both, market, NOW + 10)).isEmpty();
        assertThat(headroom(Map.of("b", 1)).surplus(both, market, NOW + 10)).containsExactlyInAnyOrderElementsOf(both);
    }

    @Test
    void anOfferThatRestsIsNotBoughtAhead() {
        NodeMarket market = market(allowed(10, "100"), List.of(), offer("a", 5).closed());

        assertThat(headroom(Map.of("a", 1)).missing(List.of(), market, NOW)).isEmpty();
    }

    @Test
    void allLimitsHoldWhateverWasBoughtBefore() {
        int bought = 0;
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            Provisioning allowed = allowed(random.nextInt(6), "0." + (1 + random.nextInt(9)));
            NodeOffer[] offers = {offer("a", random.nextInt(4)), offer("b", random.nextInt(4))};
            Headroom headroom = headroom(Map.of("a", 1 + random.nextInt(4), "b", 1 + random.nextInt(4)));
            List<PurchaseOrder> held = new ArrayList<>();
            for (long now = NOW; now < NOW + 1500; now += 1 + random.nextInt(200)) {
                long second = now;
                held.removeIf(order -> order.end() <= second);
                List<PurchaseOrder> idle =
                        held.stream().filter(_ -> random.nextInt(3) > 0).toList();
                List<Purchase> more = headroom.missing(idle, market(allowed, held, offers), now);
                bought += more.size();
                held.addAll(orders(more));

                assertThat(held).as("seed %d", seed).hasSizeLessThanOrEqualTo(allowed.maxNodes());
                for (NodeOffer offer : offers) {
                    assertThat(held.stream()
                                    .filter(order -> order.offer().equals(offer.name()))
                                    .count())
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(offer.quota().nodes());
                }
            }
        }
        assertThat(bought).isGreaterThan(200);
    }

    @Test
    void aNumberOrATimeThatIsNotPositiveIsRefused() {
        assertThatThrownBy(() -> headroom(Map.of("a", 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The headroom (0 nodes) of offer (a) must be positive.");
        assertThatThrownBy(() -> new Headroom(new TreeMap<>(), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anIdleNodeStaysWhileThatCostsNothingOrForAsLongAsThePolicySaysAndNotBeyondItsBill() {
        Purchase hour = new Purchase(
                "n",
                new NodeOffer(
                        PlanBuilder.oneCore("a", 1), new Billing(DELAY, 0, 3600, 30), PurchaseQuota.of("a", 1), 0),
                Headroom.BUYER,
                NOW,
                1,
                5000);
        Purchase second = new Purchase(
                "n",
                new NodeOffer(PlanBuilder.oneCore("a", 1), new Billing(DELAY, 0, 1, 0), PurchaseQuota.of("a", 1), 0),
                Headroom.BUYER,
                NOW,
                1,
                5000);
        Provisioning free = allowed(1, "1");
        Provisioning patient = free.keeping(Headroom.NONE, 600);
        long since = NOW + 1000;

        // The first hour is paid; giving up takes half a minute.
        assertThat(free.keptUntil(hour.order(), hour.offer().billing(), since)).isEqualTo(NOW + 3600 - 30);
        assertThat(patient.keptUntil(hour.order(), hour.offer().billing(), since))
                .isEqualTo(NOW + 3600 - 30);
        assertThat(patient.keptUntil(hour.order(), hour.offer().billing(), NOW + 3500))
                .isEqualTo(NOW + 4100);
        assertThat(patient.keptUntil(hour.order(), hour.offer().billing(), NOW + 7000))
                .isEqualTo(NOW + 7200 - 30);
        assertThat(free.keptUntil(second.order(), second.offer().billing(), since))
                .isEqualTo(since);
        assertThat(patient.keptUntil(second.order(), second.offer().billing(), since))
                .isEqualTo(since + 600);
        assertThat(patient.keptUntil(second.order(), second.offer().billing(), NOW + 5000))
                .isEqualTo(NOW + 5060);
    }
}
