package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** Gangs that lose a member or overrun, on the real control plane. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunningGangIT {
    private static final int RUNTIME = 600;

    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    RunningGangIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover", "3s",
                        "policy.planner.cycle", "2s",
                        "policy.running.overrun.then", "evict",
                        "policy.running.overrun.grace", "3s",
                        "policy.running.member-loss", "restart"));
    }

    @StoryTest
    void aGangThatLosesAMemberRunsAgainAsAWhole() {
        Scenario scenario = new Scenario(cluster, "losses").withNodes(2);
        GangSpec gang = scenario.gang("gang", 2, 3000, RUNTIME);
        cluster.submitAsJob(gang);
        scenario.awaitWhole(gang, 60);
        MovedGang stopped = new MovedGang(cluster, gang);
        Set<String> before = stopped.uids();
        Pod lost = cluster.pods(gang).getFirst();

        cluster.client().resource(lost).withGracePeriod(0).delete();

        scenario.awaitEvent(
                "WindowBroken",
                event -> assertThat(event)
                        .contains("member-loss: " + lost.getMetadata().getName() + " was lost while the gang ran"));
        Scenario.within("the gang to run again with other pods", 120)
                .untilAsserted(() -> assertThat(stopped.lives()).hasSize(4));
        scenario.awaitWhole(gang, 60);
        assertThat(stopped.uids()).doesNotContainAnyElementsOf(before);
        assertThat(stopped.runs()).hasSize(1);
        assertThat(stopped.past().get("workSeconds")).isEqualTo(RUNTIME);
        assertThat(chart.slotwise().metric("slotwise_promises_broken_total{cause=\"member-loss\"}"))
                .isPositive();
    }

    @StoryTest
    void aGangThatRunsTooLongIsEvictedOnceItsDisruptionBudgetAllowsIt() {
        Scenario scenario = new Scenario(cluster, "overruns").withNodes(2);
        GangSpec gang = scenario.gang("gang", 2, 3000, 5).runningFor(RUNTIME);
        cluster.protect(gang);
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 60);

        Scenario.within("the budget to refuse", 60)
                .untilAsserted(() -> assertThat(cluster.events(scenario.namespace(), "EvictionRefused"))
                        .anySatisfy(event -> assertThat(event).contains("a PodDisruptionBudget does not allow it")));
        assertThat(cluster.boundPods(gang)).isEqualTo(2);

        cluster.protectNoLonger(gang);

        Scenario.within("the gang to be evicted", 60)
                .untilAsserted(() -> assertThat(cluster.pods(gang)).isEmpty());
        scenario.awaitEvent("OverrunEvicted", event -> assertThat(event).contains("gang-0, gang-1"));
        assertThat(cluster.events(scenario.namespace(), "WindowBroken")).isEmpty();
    }
}
