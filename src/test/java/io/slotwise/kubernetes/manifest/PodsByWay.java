package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/**
 * Pods that Slotwise binds itself and pods that need kube-scheduler. Code and admission policy must agree about them.
 */
public final class PodsByWay {
    private PodsByWay() {}

    /**
     * A pod.
     *
     * @param what its special request, in words
     * @param needsKubeScheduler whether it has to go through kube-scheduler
     * @param yaml its metadata and specification except the container
     */
    public record Variant(String what, boolean needsKubeScheduler, String yaml) {
        /** Returns the pod with the label {@code app: a} and without a node. */
        public Pod pod(String namespace, String schedulerName) {
            Pod pod = Serialization.unmarshal(yaml, Pod.class);
            PodBuilder builder = new PodBuilder(pod)
                    .editOrNewMetadata()
                    .withNamespace(namespace)
                    .withName("p")
                    .addToLabels("app", "a")
                    .endMetadata()
                    .editOrNewSpec()
                    .withSchedulerName(schedulerName)
                    .endSpec();
            if (pod.getSpec() == null || pod.getSpec().getContainers().isEmpty()) {
                builder.editSpec()
                        .addToContainers(new ContainerBuilder()
                                .withName("main")
                                .withImage("example.com/main")
                                .withNewResources()
                                .addToRequests("cpu", new Quantity("1"))
                                .endResources()
                                .build())
                        .endSpec();
            }
            return builder.build();
        }

        @Override
        public String toString() {
            return what;
        }
    }

    public static List<Variant> all() {
        return List.of(
                direct("nothing", "{}"),
                direct("a config map", volume("configMap: {name: c}")),
                direct("a secret", volume("secret: {secretName: s}")),
                direct("an empty folder", volume("emptyDir: {}")),
                direct("the downward API", volume("downwardAPI: {}")),
                direct("projected sources", volume("projected: {sources: []}")),
                direct("a host path", volume("hostPath: {path: /data}")),
                direct("an image", volume("image: {reference: example.com/data}")),
                direct("NFS", volume("nfs: {server: files.example.com, path: /}")),
                direct("an inline CSI volume", volume("csi: {driver: inline.example.com}")),
                needy("a claim", volume("persistentVolumeClaim: {claimName: c}")),
                needy(
                        "a claim after a config map",
                        "spec: {volumes: [{name: c, configMap: {name: c}}, {name: v, persistentVolumeClaim: "
                                + "{claimName: v}}]}"),
                needy(
                        "an ephemeral volume",
                        volume("ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: "
                                + "{requests: {storage: 1Gi}}}}}")),
                needy("iSCSI", volume("iscsi: {targetPortal: 10.0.0.1, iqn: iqn.2001-04.com.example:a, lun: 0}")),
                needy("a device claim", "spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]}"),
                needy("a device class", container("resources: {limits: {deviceclass.resource.kubernetes.io/gpu: 1}}")),
                needy(
                        "a device class of an init container",
                        initContainer("resources: {limits: {deviceclass.resource.kubernetes.io/gpu: 1}}")),
                direct("another extended resource", container("resources: {limits: {nvidia.com/gpu: 1}}")),
                direct("a port", container("ports: [{containerPort: 80}]")),
                direct("a host port", container("ports: [{containerPort: 80, hostPort: 80}]")),
                direct("a host port of an init container", initContainer("ports: [{containerPort: 80, hostPort: 80}]")),
                direct(
                        "the host's network with a port",
                        "spec: {hostNetwork: true, containers: [{name: main, image: example.com/main, ports: "
                                + "[{containerPort: 80, hostPort: 80}]}]}"),
                direct("the host's network without a port", "spec: {hostNetwork: true}"),
                needy(
                        "an affinity",
                        affinity("podAffinity", "topologyKey: zone, labelSelector: {matchLabels: {app: a}}")),
                direct("a preferred affinity", preferred("podAffinity")),
                direct("a preferred anti-affinity", preferred("podAntiAffinity")),
                direct(
                        "a preferred affinity to nodes",
                        "spec: {affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
                                + "[{weight: 1, preference: {matchExpressions: [{key: zone, operator: Exists}]}}]}}}"),
                direct(
                        "an affinity to nodes",
                        "spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                                + "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}}}}"),
                direct("an anti-affinity to itself", apart("labelSelector: {matchLabels: {app: a}}")),
                direct("an anti-affinity to all of the namespace", apart("labelSelector: {}")),
                direct(
                        "two plain anti-affinities",
                        "metadata: {labels: {b: c}}\nspec: {affinity: {podAntiAffinity: "
                                + "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
                                + "kubernetes.io/hostname, "
                                + "labelSelector: {matchLabels: {app: a, b: c}}}, {topologyKey: "
                                + "kubernetes.io/hostname, "
                                + "labelSelector: {matchLabels: {b: c}}}]}}}"),
                needy(
                        "a plain anti-affinity and another one",
                        "spec: {affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                                + "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}, "
                                + "{topologyKey: zone, labelSelector: {matchLabels: {app: a}}}]}}}"),
                needy("an anti-affinity to others", apart("labelSelector: {matchLabels: {app: b}}")),
                needy(
                        "an anti-affinity to a label that it has not",
                        apart("labelSelector: {matchLabels: {app: a, b: c}}")),
                needy(
                        "an anti-affinity by expressions",
                        apart("labelSelector: {matchExpressions: [{key: app, operator: In, values: [a]}]}")),
                needy("an anti-affinity without a selector", apart("namespaces: [default]")),
                needy(
                        "an anti-affinity in namespaces",
                        apart("labelSelector: {matchLabels: {app: a}}, namespaces: [default]")),
                needy(
                        "an anti-affinity in all namespaces",
                        apart("labelSelector: {matchLabels: {app: a}}, namespaceSelector: {}")),
                needy(
                        "an anti-affinity by label keys",
                        apart("labelSelector: {matchLabels: {app: a}}, matchLabelKeys: [b]")),
                needy(
                        "an anti-affinity by other label keys",
                        apart("labelSelector: {matchLabels: {app: a}}, mismatchLabelKeys: [b]")),
                needy(
                        "an anti-affinity in zones",
                        affinity(
                                "podAntiAffinity",
                                "topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: a}}")),
                needy("a spread", spread("DoNotSchedule")),
                direct("a spread that may be missed", spread("ScheduleAnyway")));
    }

    private static Variant direct(String what, String yaml) {
        return new Variant(what, false, yaml);
    }

    private static Variant needy(String what, String yaml) {
        return new Variant(what, true, yaml);
    }

    private static String volume(String source) {
        return "spec: {volumes: [{name: v, %s}]}".formatted(source);
    }

    private static String container(String more) {
        return "spec: {containers: [{name: main, image: example.com/main, %s}]}".formatted(more);
    }

    private static String initContainer(String more) {
        return "spec: {initContainers: [{name: before, image: example.com/before, %s}]}".formatted(more);
    }

    private static String affinity(String kind, String term) {
        return "spec: {affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{%s}]}}}".formatted(kind, term);
    }

    private static String apart(String term) {
        return affinity("podAntiAffinity", "topologyKey: kubernetes.io/hostname, " + term);
    }

    private static String preferred(String kind) {
        return ("spec: {affinity: {%s: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                        + "podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: b}}}}]}}}")
                .formatted(kind);
    }

    private static String spread(String otherwise) {
        return ("spec: {topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
                        + "%s, labelSelector: {matchLabels: {app: a}}}]}")
                .formatted(otherwise);
    }
}
