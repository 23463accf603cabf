package io.slotwise.kubernetes.kubectl;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a release of the chart: its ConfigMap, and the scheduler names of its Deployment.
 *
 * @param place the place of the policy, for messages; empty without a release
 * @param policy the policy file; null for the defaults
 * @param prices the price catalogue; null for the one in the program
 */
public record ReleaseConfiguration(
        String place, @Nullable String policy, @Nullable String prices, PodFilter filter) {
    static final ReleaseConfiguration NONE = new ReleaseConfiguration("", null, null, PodFilter.CLUSTER);

    private static final String LABEL = "app.kubernetes.io/name";
    private static final String NAME = "slotwise";
    private static final String POLICY = "policy.yaml";
    private static final Comparator<HasMetadata> IN_ORDER = Comparator.comparing(
                    (HasMetadata object) -> object.getMetadata().getNamespace())
            .thenComparing(object -> object.getMetadata().getName());

    /** Returns the configuration of the first release by namespace and name. */
    static ReleaseConfiguration of(KubernetesClient client) {
        return client.configMaps().inAnyNamespace().withLabel(LABEL, NAME).list().getItems().stream()
                .filter(map -> map.getData() != null && map.getData().containsKey(POLICY))
                .min(IN_ORDER)
                .map(map -> new ReleaseConfiguration(
                        "ConfigMap %s/%s, %s"
                                .formatted(
                                        map.getMetadata().getNamespace(),
                                        map.getMetadata().getName(),
                                        POLICY),
                        map.getData().get(POLICY),
                        map.getData().get("prices.csv"),
                        candidates(client, map.getMetadata().getNamespace())))
                .orElse(NONE);
    }

    private static PodFilter candidates(KubernetesClient client, String namespace) {
        Map<String, String> set = new HashMap<>();
        client.apps().deployments().inNamespace(namespace).withLabel(LABEL, NAME).list().getItems().stream()
                .flatMap(deployment -> deployment.getSpec().getTemplate().getSpec().getContainers().stream())
                .flatMap(container -> container.getEnv().stream())
                .filter(variable -> variable.getValue() != null)
                .forEach((EnvVar variable) -> set.putIfAbsent(variable.getName(), variable.getValue()));
        PodFilter filter = PodFilter.CLUSTER;
        PodFilter bothFilter = new PodFilter(
                set.getOrDefault("SLOTWISE_SCHEDULER_NAME", filter.schedulerName()),
                set.getOrDefault("SLOTWISE_EXTENDER_SCHEDULER_NAME", filter.extenderSchedulerName()),
                false);
        return "false".equals(set.get("SLOTWISE_KUBE_SCHEDULER")) ? bothFilter.withoutKubeScheduler() : bothFilter;
    }
}
