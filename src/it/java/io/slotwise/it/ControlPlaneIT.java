package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@RealControlPlane
class ControlPlaneIT {

    @Test
    void aPlainSchedulerBindsAJobsPodsAndKwokRunsAndEndsThem(ControlPlane plane) {
        KubernetesClient client = plane.client();
        client.resource(Workload.node("n1", 4, 8, Map.of())).create();
        var template = new PodBuilder(Workload.pod("default", "work", "plain", 500, 256))
                .editMetadata()
                .addToAnnotations(Workload.RUNS_FOR, "2s")
                .endMetadata()
                .build();

        try (var _ = KubeScheduler.start(plane, "plain", plane.adminKubeconfig(), List.of())) {
            client.resource(Workload.job(template, 3)).create();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(client.batch()
                                    .v1()
                                    .jobs()
                                    .inNamespace("default")
                                    .withName("work")
                                    .get()
                                    .getStatus()
                                    .getSucceeded())
                            .isEqualTo(3));
        }

        List<AuditLog.Entry> bindings = plane.audit().bindings("default");
        assertThat(bindings).hasSize(3).allSatisfy(binding -> {
            assertThat(binding.request().path("target").path("name").asText()).isEqualTo("n1");
            assertThat(binding.answered()).isAfterOrEqualTo(binding.received());
        });
    }

    @Test
    void aServiceAccountHasOnlyTheRightsThatAreBoundToIt(ControlPlane plane) {
        Account.create(plane, "default", "nobody");

        KubernetesClient nobody = plane.clientAs("default", "nobody");

        assertThatThrownBy(() -> nobody.pods().list()).hasMessageContaining("system:serviceaccount:default:nobody");
    }
}
