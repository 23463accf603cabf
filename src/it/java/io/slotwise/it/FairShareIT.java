package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A fair queue on the real control plane: one node, and two namespaces that compete for it. */
@RealControlPlane
class FairShareIT {
    private final ControlPlane plane;
    private final Cluster cluster;

    FairShareIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void theNamespaceThatHasSpentLessStartsFirstThoughItsGangCameLater() {
        Installation chart =
                Installation.install(plane, Map.of("policy.running.turnover", "3s", "policy.queue.order", "fair"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            Scenario scenario = new Scenario(cluster, "spender").withNodes(1);
            cluster.namespace("saver");
            NamespaceLedger ledger = new NamespaceLedger(cluster, "spender");
            // The first gang runs longer than Slotwise takes to restart, so that both other gangs wait for its room.
            GangSpec first = scenario.gang("first", 1, 3000, 40).runningFor(36);
            GangSpec again = scenario.gang("again", 1, 3000, 15).runningFor(5);
            GangSpec thrifty =
                    GangSpec.of("saver", "thrifty", 1, 3000, 15).runningFor(5).on("it.slotwise.io/pool", "spender");
            cluster.submitAsPods(first);
            scenario.awaitWhole(first, 40);
            Scenario.within("the ledger of a namespace without a budget", 10)
                    .untilAsserted(() -> assertThat(ledger.entries()).hasSize(1));

            // Both gangs exist when Slotwise plans next. An idle planner would promise the first one its second at
            // once.
            slotwise.kill();
            cluster.submitAsPods(again);
            cluster.submitAsPods(thrifty);
            slotwise.start();

            assertThat(scenario.awaitPromise(thrifty)).isBefore(scenario.awaitPromise(again));
            scenario.awaitWhole(thrifty, 60);
            scenario.awaitWhole(again, 60);
            assertThat(scenario.violations()).isEmpty();
        }
    }
}
