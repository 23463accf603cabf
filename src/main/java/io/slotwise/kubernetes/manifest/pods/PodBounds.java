package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.slotwise.core.work.Steps;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limit of one pod's parts that are compared with every node or with other pods. The API server only limits a pod
 * to some megabytes.
 */
public final class PodBounds {
    /** The most requirements, values, terms, tolerations, spread constraints, volumes, claims and ports together. */
    public static final int MOST_PARTS = 2_000;

    private PodBounds() {}

    /** Returns why a pod is too large to be planned, or null. O(parts). */
    public static @Nullable String problem(Pod pod) {
        int parts = pod.getSpec() == null ? 0 : parts(pod.getSpec());
        Steps.add(Steps.Kind.PARTS, parts);
        return parts <= MOST_PARTS
                ? null
                : ("pod %s has %d requirements and values of affinity, tolerations, spread constraints, volumes, "
                                + "claims and ports together: expected at most %d")
                        .formatted(Pods.name(pod), parts, MOST_PARTS);
    }

    private static int parts(PodSpec spec) {
        return size(spec.getNodeSelector())
                + size(spec.getTolerations())
                + size(spec.getTopologySpreadConstraints())
                + size(spec.getVolumes())
                + size(spec.getResourceClaims())
                + parts(Pods.requiredNodes(spec))
                + parts(spec.getAffinity())
                + parts(spec.getContainers())
                + parts(spec.getInitContainers());
    }

    private static int parts(List<Container> containers) {
        int parts = 0;
        for (Container container : containers) {
            ResourceRequirements resources = container == null ? null : container.getResources();
            parts += container == null ? 0 : 1 + size(container.getPorts());
            parts += resources == null ? 0 : size(resources.getRequests()) + size(resources.getLimits());
        }
        return parts;
    }

    private static int parts(@Nullable NodeSelector ofNodes) {
        return ofNodes == null
                ? 0
                : ofNodes.getNodeSelectorTerms().stream()
                        .mapToInt(term -> 1 + sum(term.getMatchExpressions()) + sum(term.getMatchFields()))
                        .sum();
    }

    private static int parts(@Nullable Affinity affinity) {
        if (affinity == null) {
            return 0;
        }
        int parts = 0;
        if (affinity.getPodAffinity() != null) {
            parts += terms(affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution());
        }
        if (affinity.getPodAntiAffinity() != null) {
            parts += terms(affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution());
        }
        return parts;
    }

    private static int sum(Collection<NodeSelectorRequirement> requirements) {
        return requirements.stream()
                .mapToInt(requirement -> 1 + size(requirement.getValues()))
                .sum();
    }

    private static int terms(Collection<PodAffinityTerm> terms) {
        return terms.stream().mapToInt(PodBounds::parts).sum();
    }

    public static int parts(PodAffinityTerm term) {
        return 1 + size(term.getNamespaces()) + parts(term.getLabelSelector()) + parts(term.getNamespaceSelector());
    }

    public static int parts(@Nullable LabelSelector selector) {
        return selector == null
                ? 0
                : size(selector.getMatchLabels())
                        + selector.getMatchExpressions().stream()
                                .mapToInt(expression -> 1 + size(expression.getValues()))
                                .sum();
    }

    private static int size(@Nullable Collection<?> values) {
        return values == null ? 0 : values.size();
    }

    private static int size(@Nullable Map<?, ?> values) {
        return values == null ? 0 : values.size();
    }
}
