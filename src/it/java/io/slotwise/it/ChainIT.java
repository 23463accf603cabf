package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Proves that three gangs of a chain start one after another on the real control plane. */
@RealControlPlane
class ChainIT {
    private final ControlPlane plane;
    private final Cluster cluster;

    ChainIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aChainIsPromisedAtOnceAndADelayOfTheFirstMovesTheOthersWithItsCause() {
        Installation chart = Installation.install(
                plane,
                Map.of(
                        "policy.running.turnover", "1s",
                        "policy.running.overrun.grace", "6s",
                        "policy.promises.slack.wait", "0",
                        "policy.promises.slack.runtime", "0"));
        Scenario scenario = new Scenario(cluster, "chain").withNodes(3);
        GangSpec first = scenario.gang("prepare", 1, 3000, 15).runningFor(24);
        GangSpec second = scenario.gang("train", 2, 3000, 8).runningFor(8).with("after", "prepare");
        GangSpec third = scenario.gang("report", 1, 3000, 5).runningFor(5).with("after", "chain/train, prepare");
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            // The successors come first.
            cluster.submitAsPods(third);
            cluster.submitAsPods(second);
            scenario.awaitPending(second, "WaitingForPredecessor", 20);
            cluster.submitAsPods(first);

            scenario.awaitWhole(first, 20);
            Instant begun = instant(first, "startedAt");
            // If the first gang starts a second late, the others were promised one second earlier before.
            scenario.awaitPromise(second, begun.plusSeconds(15), 12);
            scenario.awaitPromise(third, begun.plusSeconds(15 + 8), 12);
            assertThat(slotwise.get("/api/v1/gangs/chain/train")).contains("\"after\":[\"chain/prepare\"]");

            // The first gang overruns by nine seconds.
            Scenario.within("the delay to move those behind", 40)
                    .untilAsserted(() -> assertThat(cluster.events("chain", "WindowBroken"))
                            .anySatisfy(event -> assertThat(event).contains("chain: it starts after chain/prepare")));
            scenario.awaitWhole(second, 60);
            scenario.awaitWhole(third, 60);
            // A successor may start before the end of its predecessor is written.
            Scenario.within("the first two gangs to end", 30)
                    .untilAsserted(() -> assertThat(List.of(first, second))
                            .allSatisfy(gang -> assertThat(cluster.phase(gang)).isEqualTo("Completed")));
            assertThat(instant(second, "startedAt")).isAfterOrEqualTo(instant(first, "endedAt"));
            assertThat(instant(third, "startedAt")).isAfterOrEqualTo(instant(second, "endedAt"));
            assertThat(cluster.events("chain", "WindowBroken"))
                    .allSatisfy(event -> assertThat(event).containsAnyOf("chain: ", "overrun: pod chain/prepare-0"));
        }
    }

    private Instant instant(GangSpec gang, String field) {
        return Instant.parse(Objects.requireNonNull(cluster.reservation(gang)).<String>get("status", field));
    }
}
