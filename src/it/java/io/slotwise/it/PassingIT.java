package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Two nodes of the real control plane under EASY backfilling. Proves that exactly two small gangs pass a wide one,
 * regardless of which replica plans.
 */
@RealControlPlane
class PassingIT {
    private final ControlPlane plane;
    private final Cluster cluster;

    PassingIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aGangPassedAsOftenAsAllowedIsPromisedAWindowAlsoByAnotherReplica() {
        Installation chart = Installation.install(
                plane,
                Map.of(
                        "policy.running.turnover", "3s",
                        "policy.study.backfill", "easy",
                        "policy.study.cyclic-fraction", "0",
                        "policy.queue.passing-limit", "2"));
        Scenario scenario = new Scenario(cluster, "passing").withNodes(2);
        GangSpec wide = scenario.gang("wide", 2, 3000, 60);
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            GangSpec runner = scenario.gang("runner", 1, 3000, 300).runningFor(300);
            cluster.submitAsPods(runner);
            scenario.awaitWhole(runner, 40);
            GangSpec head = scenario.gang("head", 2, 3000, 60);
            cluster.submitAsPods(head);
            scenario.awaitPromise(head);
            cluster.submitAsPods(wide);
            scenario.awaitPending(wide, "Behind", 30);

            GangSpec first = small(scenario, "first");
            Scenario.within("the first one to end", 40)
                    .untilAsserted(() -> assertThat(cluster.phase(first)).isEqualTo("Completed"));
            cluster.client()
                    .pods()
                    .inNamespace(first.namespace())
                    .withName("first-0")
                    .delete();
            Scenario.within("the first one's record to be gone and counted", 40).untilAsserted(() -> {
                assertThat(Objects.requireNonNull(cluster.reservation(wide)).<Integer>get("status", "passed"))
                        .isEqualTo(1);
                assertThat(cluster.phase(wide)).isEqualTo("Pending");
            });
        }
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();

            small(scenario, "second");

            assertThat(scenario.awaitPromise(wide)).isAfter(Scenario.in(60));
            assertThat(scenario.violations()).isEmpty();
        }
    }

    /** Submits a gang in a later second than all others, which starts at once on the node that is free for a while. */
    private GangSpec small(Scenario scenario, String name) {
        Scenario.awaitClock(Scenario.in(2));
        GangSpec gang = scenario.gang(name, 1, 3000, 10).runningFor(3);
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 40);
        return gang;
    }
}
