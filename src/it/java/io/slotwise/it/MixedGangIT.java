package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.it.ExtenderRelay.Answer;
import io.slotwise.it.RunChecker.Disturbance;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** Gangs with some members that need kube-scheduler. Proves that the others wait, and all are bound together. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MixedGangIT {
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final ControlPlane plane;
    private final Cluster cluster;

    private final SlotwiseProcess slotwise;
    private final ExtenderRelay relay;
    private final KubeScheduler scheduler;

    MixedGangIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        slotwise = chart.startSlotwise();
        relay = ExtenderRelay.before(slotwise);
        scheduler = chart.startScheduler(relay.extender());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        relay.close();
        slotwise.close();
    }

    @StoryTest
    void aGangOfBothKindsStartsTogetherInItsSecond() {
        Scenario scenario = new Scenario(cluster, "both").withNodes(4);
        GangSpec gang = scenario.gang("g", 4, 3000, 20)
                .with("earliest-start", Scenario.in(10).toString())
                .withLastThroughKubeScheduler(2);

        cluster.submitAsPods(gang);

        scenario.awaitPromise(gang);
        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getSpec().getSchedulerName())
                .containsExactlyInAnyOrder("slotwise", "slotwise", "slotwise-extender", "slotwise-extender");
        scenario.awaitWhole(gang, 40);
        assertBoundTogether(scenario, gang);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void theAdmissionPolicyRoutesMembersToKubeSchedulerAndTheGangStarts() {
        Scenario scenario = new Scenario(cluster, "one-needs").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20);

        cluster.submitAsPods(
                gang,
                pod -> pod.getMetadata().getName().equals("g-1")
                        ? new PodBuilder(pod)
                                .editMetadata()
                                .addToLabels("member", "spread")
                                .endMetadata()
                                .editSpec()
                                .addNewTopologySpreadConstraint()
                                .withMaxSkew(5)
                                .withTopologyKey("kubernetes.io/hostname")
                                .withWhenUnsatisfiable("DoNotSchedule")
                                .withNewLabelSelector()
                                .addToMatchLabels("member", "spread")
                                .endLabelSelector()
                                .endTopologySpreadConstraint()
                                .endSpec()
                                .build()
                        : pod);

        scenario.awaitWhole(gang, 40);
        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getSpec().getSchedulerName())
                .containsExactlyInAnyOrder("slotwise", "slotwise-extender");
        assertBoundTogether(scenario, gang);
        assertThat(scenario.violations(new Disturbance(Instant.EPOCH, Instant.MAX)))
                .isEmpty();
    }

    @StoryTest
    void aMemberThatKubeSchedulerDoesNotBringKeepsTheOthersUnbound() {
        Scenario scenario = new Scenario(cluster, "not-brought").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20).withLastThroughKubeScheduler(1);
        relay.behave((call, onward) ->
                call.body().contains("\"not-brought\"") ? new Answer(500, "broken on purpose") : onward.send());
        cluster.submitAsPods(gang);
        Scenario.within("the gang to be on its way", 20)
                .until(() -> cluster.phase(gang).equals("Starting"));

        Scenario.awaitClock(Scenario.in(4));
        assertThat(cluster.boundPods(gang)).isZero();
        relay.behaveWell();

        scenario.awaitWhole(gang, 60);
        assertBoundTogether(scenario, gang);
    }

    private void assertBoundTogether(Scenario scenario, GangSpec gang) {
        List<Instant> bound = plane.audit().bindings(scenario.namespace()).stream()
                .map(AuditLog.Entry::answered)
                .sorted(Comparator.naturalOrder())
                .toList();
        assertThat(bound).hasSize(gang.size());
        assertThat(Duration.between(bound.getFirst(), bound.getLast())).isLessThan(TOGETHER);
    }
}
