package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.RunChecker.Disturbance;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The API server or the leading replica is away while gangs are due. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AbsenceIT {
    private final ControlPlane plane;
    private final Cluster cluster;
    private final Installation chart;

    AbsenceIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
    }

    @Test
    void theApiServerAwayForHalfAMinuteDelaysGangsAsAWhole() {
        try (LossyProxy proxy = new LossyProxy(plane.port());
                SlotwiseProcess slotwise = chart.startSlotwise("https://127.0.0.1:" + proxy.port());
                var _ = chart.startScheduler(slotwise.extender())) {
            Scenario scenario = new Scenario(cluster, "away").withNodes(4);
            GangSpec during = scenario.gang("during", 2, 3000, 15)
                    .with("earliest-start", Scenario.in(20).toString());
            GangSpec after = scenario.gang("after", 2, 3000, 15)
                    .with("earliest-start", Scenario.in(70).toString());
            cluster.submitAsPods(during);
            cluster.submitAsPods(after);
            scenario.awaitPromise(during);
            scenario.awaitPromise(after);

            Instant from = Scenario.now();
            proxy.cut();
            Scenario.awaitClock(from.plusSeconds(30));
            assertThat(cluster.boundPods(during)).isZero();
            proxy.restore();
            Instant to = Scenario.now();

            scenario.awaitWhole(during, 60);
            scenario.awaitWhole(after, 90);
            assertThat(scenario.violations(new Disturbance(from, to.plusSeconds(3))))
                    .isEmpty();
        }
    }

    @Test
    void aSecondReplicaAnswersTheSchedulerAndTakesThePlanningOver() {
        try (SlotwiseProcess leader = chart.startSlotwise()) {
            Scenario scenario = new Scenario(cluster, "replicas").withNodes(4);
            Scenario.within("the first replica to lead", 30).until(() -> leader.metric("slotwise_leader") == 1);
            try (SlotwiseProcess follower = chart.startSlotwise();
                    var _ = chart.startScheduler(follower.extender())) {
                GangSpec before = scenario.gang("before", 2, 3000, 15);
                cluster.submitAsPods(before);
                scenario.awaitWhole(before, 30);
                assertThat(follower.metric("slotwise_leader")).isZero();

                leader.kill();
                GangSpec after = scenario.gang("after", 2, 3000, 15);
                cluster.submitAsPods(after);

                scenario.awaitWhole(after, 60);
                assertThat(follower.metric("slotwise_leader")).isEqualTo(1);
                assertThat(scenario.violations()).isEmpty();
            }
        }
    }
}
