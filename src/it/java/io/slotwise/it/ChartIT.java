package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

@RealControlPlane
class ChartIT {

    @Test
    void theChartInstallsAndGatesThePodsOfItsSchedulerOnly(ControlPlane plane) {
        KubernetesClient client = plane.client();

        Installation.install(plane, Map.of());

        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("reservations.slotwise.io")
                        .get())
                .isNotNull();
        await("the admission policy is in force half a second after it is applied")
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> {
                    client.pods()
                            .inNamespace("default")
                            .withName("ours")
                            .withGracePeriod(0)
                            .delete();
                    var ours = client.resource(Workload.pod("default", "ours", "slotwise", 100, 64))
                            .create();
                    assertThat(ours.getSpec().getSchedulingGates())
                            .singleElement()
                            .satisfies(gate -> assertThat(gate.getName()).isEqualTo("slotwise.io/window"));
                });
        var foreign = client.resource(Workload.pod("default", "foreign", "default-scheduler", 100, 64))
                .create();
        assertThat(foreign.getSpec().getSchedulingGates()).isEmpty();
    }
}
