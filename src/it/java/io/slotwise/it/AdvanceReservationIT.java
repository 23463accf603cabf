package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Advance reservations on the real API server and kube-scheduler, with the roles, the schema and the policies of the
 * chart.
 */
@RealControlPlane
class AdvanceReservationIT {
    private static final int GRACE = 5;

    private final ControlPlane plane;
    private final Cluster cluster;

    AdvanceReservationIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void roomIsKeptForTheNamingGangAndReleasedWithoutOne() {
        Installation chart = Installation.install(
                plane, Map.of("policy.running.turnover", "3s", "policy.records.holds.grace", GRACE + "s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            Scenario kept = new Scenario(cluster, "kept").withNodes(2);
            Scenario empty = new Scenario(cluster, "empty").withNodes(1);
            Instant start = Scenario.in(24);
            GangSpec hold = kept.hold("morning", 2, start, start.plusSeconds(30));
            GangSpec unused = empty.hold("unused", 1, Scenario.in(16), Scenario.in(900));
            assertThat(kept.awaitPromise(hold)).isEqualTo(start);
            empty.awaitPromise(unused);

            GangSpec rival = kept.gang("rival", 2, 3000, 25);
            GangSpec guest = kept.gang("guest", 2, 3000, 4).runningFor(4).with("reservation", "morning");
            GangSpec next = empty.gang("next", 1, 3000, 6).runningFor(6);
            cluster.submitAsPods(rival);
            cluster.submitAsPods(guest);
            cluster.submitAsPods(next);

            assertThat(kept.awaitPromise(rival)).isAfterOrEqualTo(start.plusSeconds(30));
            assertThat(kept.awaitPromise(guest)).isEqualTo(start);
            assertThat(slotwise.get("/api/v1/gangs/kept/morning"))
                    .contains("\"kind\":\"reservation\"")
                    .contains("for the gang that names it");
            kept.awaitWhole(guest, 40);
            assertEnded(kept, hold, "gang kept/guest took it over");
            assertThat(cluster.pods(hold)).isEmpty();

            empty.awaitWhole(next, 40);
            assertEnded(empty, unused, "it expired: no gang took it over");
            assertGoesWhenDeleted(unused);
            assertWindowsAreNotForPeopleToWrite(empty);
        }
    }

    private void assertEnded(Scenario scenario, GangSpec hold, String how) {
        Scenario.within("reservation " + hold.name() + " to be over", 20).untilAsserted(() -> {
            assertThat(cluster.phase(hold)).isEqualTo("Completed");
            assertThat(cluster.condition(hold, "Started")).contains(how);
        });
        scenario.awaitEvent("HoldEnded", event -> assertThat(event).contains(how));
    }

    private void assertGoesWhenDeleted(GangSpec hold) {
        cluster.client()
                .genericKubernetesResources("slotwise.io/v1alpha1", "Reservation")
                .inNamespace(hold.namespace())
                .withName(hold.name())
                .delete();
        Scenario.within("the deleted reservation to go", 20)
                .untilAsserted(() -> assertThat(cluster.reservations(hold.namespace()))
                        .extracting(reservation -> reservation.getMetadata().getName())
                        .doesNotContain(hold.name()));
    }

    private void assertWindowsAreNotForPeopleToWrite(Scenario scenario) {
        GenericKubernetesResource forged = scenario.reservation("forged", """
                hold: {size: 1}
                window:
                  {start: "2030-01-01T00:00:00Z", end: "2030-01-01T01:00:00Z", cost: "0.000000", exactCost: 0, placement:
                    [{pod: forged-0, node: n1, start: "2030-01-01T00:00:00Z", end: "2030-01-01T01:00:00Z", cost: "0.000000", exactCost: 0}]}
                """);

        assertThatThrownBy(() -> cluster.client().resource(forged).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("Slotwise alone writes the records of gangs");
        for (Map.Entry<String, String> bad : List.of(
                Map.entry("hold: {size: 0}", "spec.hold.size"),
                Map.entry("criterion: cost", "a reservation is about a gang, or has spec.hold"),
                Map.entry("hold: {size: 1, runtime: soon}", "spec.hold.runtime"))) {
            assertThatThrownBy(() -> cluster.client()
                            .resource(scenario.reservation("bad", bad.getKey()))
                            .create())
                    .hasMessageContaining(bad.getValue());
        }
    }
}
