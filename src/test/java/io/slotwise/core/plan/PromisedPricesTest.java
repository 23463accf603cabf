package io.slotwise.core.plan;

import static io.slotwise.testing.GangBuilder.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.window.Placement;
import io.slotwise.testing.PlanBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prices of gangs on bought nodes whose pods end early or late. */
class PromisedPricesTest {
    private static final long NOW = PlanBuilder.NOW;
    private static final long HOUR = 3600;
    private static final Policy BUYING = Policy.EXACT.withProvisioning(Provisioning.NONE.in(Mode.BUY));

    private record Paid(Placement placement, PromiseTariff tariff) {
        Cost after(long seconds) {
            return tariff.cost(placement, seconds);
        }
    }

    private static List<Paid> bought(Billing billing, Gang... gangs) {
        NodeOffer offer = new NodeOffer(
                PlanBuilder.oneCore("small", Money.MICROS_PER_UNIT), billing, PurchaseQuota.of("small", 5), 0);
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(List.of(), List.of()),
                        Stream.of(gangs).map(one -> new Request(one, null)).toList(),
                        List.of())
                .offering(List.of(offer));
        Plan plan = new Planner(BUYING).plan(snapshot);
        PromisedPrices prices = new PromisedPrices(
                snapshot.seeing(plan.buying().stream()
                        .flatMap(buying -> buying.acquisition().purchases().stream())
                        .map(purchase -> purchase.seen(NOW))
                        .toList()),
                BUYING);
        return plan.windows().stream()
                .flatMap(planned -> planned.window().placements().stream()
                        .map(placement -> new Paid(placement, prices.of(planned))))
                .toList();
    }

    @Test
    void anEarlyEndDoesNotBringBackAStepThatIsPaid() {
        Paid paid = bought(new Billing(60, 0, HOUR, 0), gang("g", 1, 1000, 2000).build())
                .getFirst();

        assertThat(paid.after(1)).isEqualTo(Cost.product(1_000_000, HOUR));
        assertThat(paid.after(2000)).isEqualTo(Cost.product(1_000_000, HOUR));
        assertThat(paid.after(2500)).isEqualTo(Cost.product(1_000_000, HOUR));
    }

    @Test
    void aStepIsDueAsItBegins() {
        Paid paid = bought(new Billing(60, 0, HOUR, 0), gang("g", 1, 1000, 8000).build())
                .getFirst();

        assertThat(paid.after(3540)).isEqualTo(Cost.product(1_000_000, HOUR));
        assertThat(paid.after(3541)).isEqualTo(Cost.product(1_000_000, 2 * HOUR));
        assertThat(paid.after(7140)).isEqualTo(Cost.product(1_000_000, 2 * HOUR));
        assertThat(paid.after(8000)).isEqualTo(Cost.product(1_000_000, 3 * HOUR));
    }

    @Test
    void eachOfTwoPodsPaysItsPartOfTheBillAlsoUnderAnotherNameOfTheNode() {
        List<Paid> both =
                bought(new Billing(60, 0, HOUR, 0), gang("g", 2, 500, 600).build());

        assertThat(both).hasSize(2).allSatisfy(paid -> {
            assertThat(paid.after(10)).isEqualTo(Cost.product(500_000, HOUR));
            Placement placement = paid.placement();
            Placement there =
                    new Placement(placement.pod(), "real", placement.start(), placement.end(), placement.cost());
            assertThat(paid.tariff().on(Map.of(placement.node(), "real")).cost(there, 10))
                    .isEqualTo(Cost.product(500_000, HOUR));
        });
    }

    @Test
    void billingBySecondsPaysSecondsAfterTheMinimum() {
        Paid paid = bought(new Billing(60, 120, 1, 0), gang("g", 1, 1000, 2000).build())
                .getFirst();

        assertThat(paid.after(30)).isEqualTo(Cost.product(1_000_000, 120));
        assertThat(paid.after(1000)).isEqualTo(Cost.product(1_000_000, 1060));
        assertThat(paid.after(2000)).isEqualTo(Cost.product(1_000_000, 2060));
        assertThat(paid.after(2100)).isEqualTo(Cost.product(1_000_000, 2160));
    }
}
