package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;

/**
 * Whether two pods like this one can share a node: not with a required anti-affinity on the host name that matches the pod
 * itself, and not with a port of the host.
 */
final class SelfExclusion {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private SelfExclusion() {}

    /** Whether a node takes one of these pods at most. */
    static boolean of(Pod pod) {
        return hostPort(pod.getSpec()) || antiAffinity(pod);
    }

    private static boolean hostPort(PodSpec spec) {
        return spec.getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .anyMatch(port -> port.getHostPort() != null && port.getHostPort() > 0);
    }

    private static boolean antiAffinity(Pod pod) {
        if (pod.getSpec().getAffinity() == null) {
            return false;
        }
        PodAntiAffinity antiAffinity = pod.getSpec().getAffinity().getPodAntiAffinity();
        return antiAffinity != null
                && antiAffinity.getRequiredDuringSchedulingIgnoredDuringExecution().stream()
                        .anyMatch(term -> HOST_NAME.equals(term.getTopologyKey()) && matches(term, pod));
    }

    private static boolean matches(PodAffinityTerm term, Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        Map<String, String> own = labels == null ? Map.of() : labels;
        return inNamespace(term, pod.getMetadata().getNamespace())
                && term.getLabelSelector() != null
                && Selectors.match(term.getLabelSelector(), own)
                && term.getMismatchLabelKeys().stream().noneMatch(own::containsKey);
    }

    /** Of a namespace's labels only its name is looked at, which every namespace has. */
    private static boolean inNamespace(PodAffinityTerm term, String namespace) {
        List<String> namespaces = term.getNamespaces();
        LabelSelector selector = term.getNamespaceSelector();
        if (namespaces.isEmpty() && selector == null) {
            return true;
        }
        return namespaces.contains(namespace)
                || (selector != null && Selectors.match(selector, Map.of(NAMESPACE_NAME, namespace)));
    }
}
