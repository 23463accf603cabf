package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Who makes way for whom by priority, on the real control plane: gangs of two pods that fill two nodes and do not keep
 * their work, and a pod that needs one of the nodes.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PreemptionIT {
    private static final String URGENT = "it-ranks-urgent";
    private static final String POLITE = "it-ranks-polite";

    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    PreemptionIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of("policy.running.turnover", "3s", "policy.planner.cycle", "2s", "policy.running.min-run", "5s"));
        cluster.priorityClass(URGENT, 1000);
        cluster.priorityClass(POLITE, 1000, "Never");
    }

    /** The three happen side by side, each on nodes of its own. */
    @Test
    void aHigherPriorityDisplacesAWholeGangUnlessItIsPoliteOrABudgetProtectsIt() {
        Scenario plain = new Scenario(cluster, "ranks").withNodes(2);
        Scenario polite = new Scenario(cluster, "polite").withNodes(2);
        Scenario guarded = new Scenario(cluster, "guarded").withNodes(2);
        NamespaceLedger ledger = new NamespaceLedger(cluster, "ranks");
        ledger.setBudget("1/month");
        GangSpec low = low(plain);
        GangSpec undisturbed = low(polite);
        GangSpec protectedOne = low(guarded);
        cluster.protect(protectedOne);
        for (GangSpec gang : new GangSpec[] {low, undisturbed, protectedOne}) {
            cluster.submitAsIndexedJob(gang);
        }
        plain.awaitWhole(low, 60);
        polite.awaitWhole(undisturbed, 60);
        guarded.awaitWhole(protectedOne, 60);

        GangSpec high = high(plain, URGENT);
        GangSpec waiting = high(polite, POLITE);
        GangSpec refused = high(guarded, URGENT);
        for (GangSpec gang : new GangSpec[] {high, waiting, refused}) {
            cluster.submitAsJob(gang);
        }

        plain.awaitWhole(high, 60);
        MovedGang displaced = new MovedGang(cluster, low);
        displaced.awaitBrokenOnce("displaced: moved to make room for ranks/high, which has a higher priority");
        assertThat(chart.slotwise().metric("slotwise_promises_broken_total{cause=\"displaced\"}"))
                .isEqualTo(1);
        assertThat(polite.awaitPromise(waiting)).isAfter(Scenario.now());
        assertThat(guarded.awaitPromise(refused)).isAfter(Scenario.now());
        Scenario.within("the ledger to charge the first run", 20)
                .untilAsserted(() -> assertThat(ledger.entries())
                        .filteredOn(entry -> entry.containsValue("low"))
                        .singleElement()
                        .satisfies(entry -> assertThat(entry).containsKey("endedAt")));
        long first = ledger.charged();
        assertThat(first).isPositive();

        plain.awaitWhole(low, 120);
        assertThat(displaced.moves()).isEqualTo(1);
        assertThat(displaced.past()).containsEntry("workSeconds", 40).containsEntry("overheadSeconds", 0);
        assertThat(ledger.charged()).isGreaterThanOrEqualTo(first);
        for (GangSpec gang : new GangSpec[] {undisturbed, protectedOne}) {
            assertThat(new MovedGang(cluster, gang).moves()).isZero();
            assertThat(new MovedGang(cluster, gang).brokenPromises()).isEmpty();
        }
        assertThat(plain.violations()).isEmpty();
    }

    private static GangSpec low(Scenario scenario) {
        return scenario.gang("low", 2, 4000, 40).runningFor(30).stoppingIn(1);
    }

    private static GangSpec high(Scenario scenario, String priorityClass) {
        return scenario.gang("high", 1, 4000, 20).runningFor(8).stoppingIn(1).ofClass(priorityClass);
    }
}
