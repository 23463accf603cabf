package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Gangs as kube-scheduler itself knows them: a PodGroup for each gang, which its pods name. */
final class PodGroups {
    private static final String GANG = "slotwise.io/gang";

    private PodGroups() {}

    /** The groups of the gangs that these pods form, each of which may start with all its pods only. */
    static Stream<GenericKubernetesResource> of(Collection<Pod> pods) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        pods.forEach(pod -> sizes.merge(gang(pod), 1, Integer::sum));
        String namespace = pods.iterator().next().getMetadata().getNamespace();
        return sizes.entrySet().stream()
                .map(gang -> new GenericKubernetesResourceBuilder()
                        .withApiVersion("scheduling.k8s.io/v1beta1")
                        .withKind("PodGroup")
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(gang.getKey())
                        .endMetadata()
                        .addToAdditionalProperties(
                                "spec", Map.of("schedulingPolicy", Map.of("gang", Map.of("minCount", gang.getValue()))))
                        .build());
    }

    /** The pod as a member of its gang's group. */
    static Pod member(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .addToAdditionalProperties("schedulingGroup", Map.of("podGroupName", gang(pod)))
                .endSpec()
                .build();
    }

    private static String gang(Pod pod) {
        return Objects.requireNonNull(pod.getMetadata().getLabels().get(GANG));
    }
}
