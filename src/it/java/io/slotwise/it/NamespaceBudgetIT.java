package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A namespace's budget and ledger on the real API server, with the roles and the schema of the chart. */
@RealControlPlane
class NamespaceBudgetIT {
    private final ControlPlane plane;
    private final Cluster cluster;

    NamespaceBudgetIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aGangWaitsUntilAnEarlyEndRefundsEnoughForIt() {
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            Scenario scenario = new Scenario(cluster, "budgeted").withNodes(2);
            NamespaceLedger ledger = new NamespaceLedger(cluster, "budgeted");
            ledger.setBudget("0.075/month");
            GangSpec first = scenario.gang("first", 2, 3000, 120);
            // Without a deadline, the second gang would be promised a window of the next month as soon as that month is
            // within the horizon.
            GangSpec second = scenario.gang("second", 2, 3000, 120)
                    .with("deadline", Scenario.in(600).toString());

            cluster.submitAsPods(first);
            scenario.awaitWhole(first, 40);
            cluster.submitAsPods(second);

            scenario.awaitPending(second, "OverBudget", "no window within the budget of namespace budgeted", 20);
            Scenario.within("the ledger to hold the first gang", 10).untilAsserted(() -> {
                assertThat(ledger.held()).isPositive();
                assertThat(ledger.spent()).isZero();
                assertThat(ledger.entries())
                        .singleElement()
                        .satisfies(entry -> assertThat(entry)
                                .containsEntry("gang", "first")
                                .containsEntry("uid", uid(first))
                                .doesNotContainKey("endedAt"));
            });

            long promised = ledger.held();
            cluster.endPods(first);
            scenario.awaitWhole(second, 40);
            // The ledger is written at the same time as the record of the second gang.
            Scenario.within("the ledger to hold the second gang", 10).untilAsserted(() -> {
                assertThat(ledger.charged()).isPositive();
                assertThat(ledger.held()).isEqualTo(promised);
            });
            long charged = ledger.charged();
            assertThat(charged).isLessThan(promised * 3 / 4);

            // A run that ends in the second of its start costs nothing.
            Scenario.awaitClock(Instant.parse(Objects.requireNonNull(cluster.promisedStart(second)))
                    .plusSeconds(2));
            cluster.client().pods().inNamespace("budgeted").withGracePeriod(0).delete();
            Scenario.within("the Reservations to go", 30)
                    .untilAsserted(
                            () -> assertThat(cluster.reservations("budgeted")).isEmpty());
            assertThat(ledger.held()).isZero();
            assertThat(ledger.spent()).isEqualTo(ledger.charged()).isGreaterThan(charged);
            assertThat(ledger.entries()).hasSize(2);
        }
    }

    private String uid(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang)).getMetadata().getUid();
    }
}
