package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Proves that the uninstalled chart leaves no pod behind a gate. */
@RealControlPlane
class UninstallIT {
    @Test
    void theHookRemovesSlotwisesGatesAndKeepsForeignOnes(ControlPlane plane) throws IOException, InterruptedException {
        KubernetesClient client = plane.client();
        Installation.install(plane, Map.of());
        await("the gate is in force")
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        gates(client.resource(pod("probe")).dryRun().create()).contains("slotwise.io/window"));
        // A pod from before Slotwise bound pods itself.
        client.resource(new PodBuilder(pod("old"))
                        .editSpec()
                        .withSchedulerName("slotwise")
                        .addNewSchedulingGate("slotwise.io/window")
                        .endSpec()
                        .build())
                .create();
        client.resource(pod("waiting")).create();
        client.resource(new PodBuilder(pod("held"))
                        .editSpec()
                        .addNewSchedulingGate("example.com/quota")
                        .endSpec()
                        .build())
                .create();
        client.raw(
                "/apis/slotwise.io/v1alpha1/namespaces/default/reservations",
                "POST",
                Serialization.unmarshal("""
                        {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation", "metadata": {"name": "g",
                        "namespace": "default", "finalizers": ["slotwise.io/held"]}, "spec": {"gang": "g"}}""", JsonNode.class));
        installHook(plane);
        KubernetesClient hook = plane.clientAs(Installation.RELEASE, Installation.HOOK);

        String output = ungate(plane);

        assertThat(output)
                .contains(
                        "Removed the gate from 2 pods with schedulerName slotwise-extender.",
                        "Removed the gate from 1 pod with schedulerName slotwise.");
        assertThat(client.resources(Reservation.class)
                        .inNamespace("default")
                        .withName("g")
                        .get()
                        .getMetadata()
                        .getFinalizers())
                .isEmpty();
        assertThat(gates(client, "old")).isEmpty();
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

    /** Runs the hook's command with the hook's service account until its end. */
    private static String ungate(ControlPlane plane) throws IOException, InterruptedException {
        Path output = plane.write("ungate.txt", "");
        ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        ProjectFiles.root()
                                .resolve("target/quarkus-app/quarkus-run.jar")
                                .toString(),
                        "ungate",
                        "--scheduler-name=slotwise-extender",
                        "--scheduler-name=slotwise",
                        "--policy-binding=slotwise-gate",
                        "--deployment=" + Installation.RELEASE + "/slotwise")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        command.environment()
                .put(
                        "KUBECONFIG",
                        plane.kubeconfig(
                                        Installation.HOOK,
                                        plane.serviceAccountToken(Installation.RELEASE, Installation.HOOK),
                                        plane.url())
                                .toString());
        Process process = command.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ungate ends by itself; it said: %s", Files.readString(output))
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Creates the hook's objects as helm does at uninstallation. Its Job needs a running container, but there is no
     * kubelet here.
     */
    private static void installHook(ControlPlane plane) {
        for (HasMetadata object : Installation.load(plane, Installation.render(plane, Map.of()))) {
            if (object.getMetadata().getName().equals(Installation.HOOK) && !(object instanceof Job)) {
                plane.client().resource(object).create();
            }
        }
    }

    private static Pod pod(String name) {
        return Workload.pod("default", name, "slotwise-extender", 100, 64);
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
