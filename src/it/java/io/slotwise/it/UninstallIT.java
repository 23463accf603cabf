package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.kubernetes.publish.GateRemoval;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The chart goes, and leaves no pod behind a gate that nobody would ever take off. */
@RealControlPlane
class UninstallIT {
    private static final String HOOK = "slotwise-ungate";

    @Test
    void theHookTakesOurGatesOffWithItsOwnRightsAndKeepsForeignOnes(ControlPlane plane) {
        KubernetesClient client = plane.client();
        Installation.install(plane, Map.of());
        await("the gate is in force")
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        gates(client.resource(pod("probe")).dryRun().create()).contains("slotwise.io/window"));
        client.resource(pod("waiting")).create();
        client.resource(new PodBuilder(pod("held"))
                        .editSpec()
                        .addNewSchedulingGate("example.com/quota")
                        .endSpec()
                        .build())
                .create();
        installHook(plane);
        KubernetesClient hook = plane.clientAs(Installation.RELEASE, HOOK);

        int removed = new GateRemoval(hook, "slotwise", () -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2)))
                .run("slotwise-gate");

        assertThat(removed).isEqualTo(2);
        assertThat(gates(client, "waiting")).isEmpty();
        assertThat(gates(client, "held")).containsExactly("example.com/quota");
        assertThat(gates(client.resource(pod("new")).create())).isEmpty();
        assertThatThrownBy(() ->
                        hook.pods().inNamespace("default").withName("held").delete())
                .hasMessageContaining("is forbidden");
        assertThatThrownBy(() -> hook.genericKubernetesResources(
                                "admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding")
                        .withName("another")
                        .delete())
                .hasMessageContaining("is forbidden");
    }

    /** Helm makes the hook's objects when it uninstalls; its Job needs a container that runs, which no kubelet does here. */
    private static void installHook(ControlPlane plane) {
        for (HasMetadata object : Installation.load(plane, Installation.render(plane, Map.of()))) {
            if (object.getMetadata().getName().equals(HOOK) && !(object instanceof Job)) {
                plane.client().resource(object).create();
            }
        }
    }

    private static Pod pod(String name) {
        return Workload.pod("default", name, "slotwise", 100, 64);
    }

    private static List<String> gates(KubernetesClient client, String pod) {
        return gates(client.pods().inNamespace("default").withName(pod).get());
    }

    private static List<String> gates(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .map(gate -> gate.getName())
                .toList();
    }
}
