package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A node of the real control plane, and promises with slack. */
@RealControlPlane
class PromiseSlackIT {
    private final ControlPlane plane;
    private final Cluster cluster;

    PromiseSlackIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aShortGangGoesBeforeALongOneThatStillStartsByWhatItWasPromised() {
        Installation chart = Installation.install(
                plane,
                Map.of(
                        "policy.running.turnover",
                        "3s",
                        "policy.promises.slack.wait",
                        "0",
                        "policy.promises.slack.runtime",
                        "1"));
        Scenario scenario = new Scenario(cluster, "slack").withNodes(1);
        GangSpec first = scenario.gang("first", 1, 3000, 60).runningFor(55);
        GangSpec slow = scenario.gang("slow", 1, 3000, 120).runningFor(5);
        GangSpec quick = scenario.gang("quick", 1, 3000, 15).runningFor(5);
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            cluster.submitAsPods(first);
            scenario.awaitWhole(first, 40);
            cluster.submitAsPods(slow);
            Instant expected = scenario.awaitPromise(slow);
            Instant by = promisedBy(slow);
            assertThat(by).isEqualTo(expected.plusSeconds(120));

            // A gang that was promised within the last cycle does not move for others.
            Scenario.awaitClock(Scenario.in(15));
            cluster.submitAsPods(quick);

            // Alone, the gang gets what is free at once. The next cycle that plans all gangs puts it before the long
            // one.
            scenario.awaitPromise(quick, expected, 20);
            Scenario.within("the event of the move", 20)
                    .untilAsserted(() -> assertThat(cluster.events("slack", "WindowMoved"))
                            .anyMatch(text -> text.contains("within the promise")));
            assertThat(scenario.awaitPromise(slow)).isAfter(expected).isBeforeOrEqualTo(by);
            assertThat(promisedBy(slow)).isEqualTo(by);
            scenario.awaitWhole(quick, 90);
            scenario.awaitWhole(slow, 90);
            assertThat(Instant.parse(Objects.requireNonNull(cluster.promisedStart(slow))))
                    .isBeforeOrEqualTo(by);
            assertThat(cluster.events("slack", "WindowBroken")).isEmpty();
        }
    }

    private Instant promisedBy(GangSpec gang) {
        return Instant.parse(Objects.requireNonNull(cluster.reservation(gang)).<String>get("spec", "promisedBy"));
    }
}
