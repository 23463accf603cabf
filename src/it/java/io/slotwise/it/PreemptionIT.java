package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Displacement by priority, on the real control plane: gangs of two pods that fill two nodes and lose their work when
 * stopped, and a pod that needs one of the nodes.
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

    /** The four cases run in parallel, each on nodes of its own. */
    @Test
    void aHigherPriorityDisplacesAWholeGangUnlessItIsPoliteOrABudgetProtectsIt() {
        Scenario plain = new Scenario(cluster, "ranks").withNodes(2);
        Scenario polite = new Scenario(cluster, "polite").withNodes(2);
        Scenario guarded = new Scenario(cluster, "guarded").withNodes(2);
        Scenario reduced = new Scenario(cluster, "reduced").withNodes(2);
        NamespaceLedger ledger = new NamespaceLedger(cluster, "ranks");
        ledger.setBudget("1/month");
        GangSpec low = low(plain);
        GangSpec undisturbed = low(polite);
        GangSpec protectedOne = low(guarded);
        GangSpec incomplete = reduced.gang("low", 2, 4000, 600).stoppingIn(1);
        cluster.protect(protectedOne);
        for (GangSpec gang : new GangSpec[] {low, undisturbed, protectedOne, incomplete}) {
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

        reduced.awaitWhole(incomplete, 60);
        loseAMember(reduced, incomplete);
        GangSpec highest = high(reduced, URGENT);
        cluster.submitAsJob(highest);
        reduced.awaitWhole(highest, 60);
        new MovedGang(cluster, incomplete)
                .awaitBrokenOnce("displaced: moved to make room for reduced/high, which has a higher priority");

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

    /** Deletes a member. One of the two nodes is cordoned, so that the replacement has to wait. */
    private void loseAMember(Scenario scenario, GangSpec gang) {
        String node = scenario.node(2);
        cluster.client().nodes().withName(node).edit(known -> {
            known.getSpec().setUnschedulable(true);
            return known;
        });
        Pod lost = cluster.pods(gang).stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .findFirst()
                .orElseThrow();
        cluster.client()
                .pods()
                .inNamespace(gang.namespace())
                .withName(lost.getMetadata().getName())
                .evict();
        Scenario.within("a pod in place of the lost one to wait", 60)
                .untilAsserted(() -> assertThat(cluster.pods(gang))
                        .filteredOn(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                        .extracting(pod -> pod.getSpec().getNodeName())
                        .containsExactlyInAnyOrder(scenario.node(1), null));
    }

    private static GangSpec low(Scenario scenario) {
        return scenario.gang("low", 2, 4000, 40).runningFor(30).stoppingIn(1);
    }

    private static GangSpec high(Scenario scenario, String priorityClass) {
        return scenario.gang("high", 1, 4000, 20).runningFor(8).stoppingIn(1).ofClass(priorityClass);
    }
}
