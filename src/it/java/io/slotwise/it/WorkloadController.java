package io.slotwise.it;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.testing.Loopback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The real controllers of JobSets and LeaderWorkerSets, each with the definitions and webhooks of its module. They end
 * with the control plane.
 */
enum WorkloadController {
    JOB_SET("jobset", "jobset.x-k8s.io/v1alpha2", "JobSet", "config.jobset.x-k8s.io", "jobset.sigs.k8s.io/jobset-name"),
    LEADER_WORKER_SET(
            "lws",
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            "config.lws.x-k8s.io",
            "leaderworkerset.sigs.k8s.io/name");

    private final String program;
    private final String apiVersion;
    private final String kind;
    private final String configuration;
    private final String podLabel;

    WorkloadController(String program, String apiVersion, String kind, String configuration, String podLabel) {
        this.program = program;
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.configuration = configuration;
        this.podLabel = podLabel;
    }

    /** Starts the controller and waits until its webhooks are called. */
    void start(ControlPlane plane) {
        int port = Loopback.freePort();
        plane.define(program);
        Path settings = plane.write(
                program + ".yaml", """
                apiVersion: %s/v1alpha1
                kind: Configuration
                health: {healthProbeBindAddress: "127.0.0.1:%d"}
                metrics: {bindAddress: "0"}
                webhook: {host: 127.0.0.1, port: %d, certDir: "%s"}
                leaderElection: {leaderElect: false}
                internalCertManagement: {enable: false}
                clientConnection: {qps: 500, burst: 500}
                """.formatted(configuration, Loopback.freePort(), port, certificates(plane)));
        RunningProgram running = plane.run(
                program,
                List.of(plane.program(program).toString(), "--config=" + settings),
                Map.of("KUBECONFIG", plane.adminKubeconfig().toString()));
        installWebhooks(plane, port);
        plane.await("the webhooks of " + program + " to be asked", () -> {
            running.requireRunning();
            return isRefusedByWebhook(plane);
        });
    }

    /** The API server's certificate, which is valid for this address, under the names that the server expects. */
    private Path certificates(ControlPlane plane) {
        try {
            Path folder = Files.createDirectory(plane.folder().resolve(program + "-certificates"));
            Files.copy(plane.certificate(), folder.resolve("tls.crt"));
            Files.copy(plane.certificate().resolveSibling("apiserver.key"), folder.resolve("tls.key"));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void installWebhooks(ControlPlane plane, int port) {
        for (var object : plane.manifests(program)) {
            if (object instanceof MutatingWebhookConfiguration webhooks) {
                webhooks.getWebhooks().forEach(webhook -> {
                    webhook.setObjectSelector(selector(webhook.getName()));
                    webhook.setClientConfig(called(plane, webhook.getClientConfig(), port));
                });
            } else if (object instanceof ValidatingWebhookConfiguration webhooks) {
                webhooks.getWebhooks().forEach(webhook -> {
                    webhook.setObjectSelector(selector(webhook.getName()));
                    webhook.setClientConfig(called(plane, webhook.getClientConfig(), port));
                });
            } else {
                continue;
            }
            object.getMetadata().setName(program + "-" + object.getMetadata().getName());
            plane.client().resource(object).create();
        }
    }

    /** The webhooks for pods are called for this controller's pods only, as in the project's own installation. */
    private LabelSelector selector(String webhook) {
        return webhook.contains("pod")
                ? new LabelSelectorBuilder()
                        .addNewMatchExpression()
                        .withKey(podLabel)
                        .withOperator("Exists")
                        .endMatchExpression()
                        .build()
                : new LabelSelector();
    }

    private static WebhookClientConfig called(ControlPlane plane, WebhookClientConfig service, int port) {
        WebhookClientConfig called = new WebhookClientConfig();
        called.setUrl("https://127.0.0.1:" + port + service.getService().getPath());
        called.setCaBundle(Base64.getEncoder().encodeToString(plane.authority().getBytes(StandardCharsets.UTF_8)));
        return called;
    }

    /** Returns whether the webhook is called, which alone refuses a name that is too long for pods. */
    private boolean isRefusedByWebhook(ControlPlane plane) {
        GenericKubernetesResource object =
                Serialization.unmarshal("""
                apiVersion: %s
                kind: %s
                metadata: {namespace: default, name: 1a}
                spec:
                  replicatedJobs: [{name: a, template: {spec: {template: {spec: {containers: [{name: c, image: none}]}}}}}]
                  leaderWorkerTemplate: {workerTemplate: {spec: {containers: [{name: c, image: none}]}}}
                """.formatted(apiVersion, kind), GenericKubernetesResource.class);
        try {
            plane.client().resource(object).dryRun().create();
            return false;
        } catch (KubernetesClientException e) {
            return Objects.toString(e.getMessage(), "").contains("denied the request");
        }
    }
}
