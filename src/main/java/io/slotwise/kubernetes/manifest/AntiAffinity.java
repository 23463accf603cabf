package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Required anti-affinity between pods, with the meaning that kube-scheduler gives it. */
public final class AntiAffinity {
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private AntiAffinity() {}

    /**
     * Which of the pods on a node must not share it with a newcomer, because of its own required anti-affinity or of theirs.
     *
     * @param residents bound to the node and not over
     * @return null: none
     */
    public static @Nullable Pod conflict(Node node, Collection<Pod> residents, Pod newcomer) {
        List<PodAffinityTerm> own = terms(newcomer);
        for (Pod resident : residents) {
            if (own.stream().anyMatch(term -> closes(term, node, newcomer, resident))
                    || terms(resident).stream().anyMatch(term -> closes(term, node, resident, newcomer))) {
                return resident;
            }
        }
        return null;
    }

    private static boolean closes(PodAffinityTerm term, Node node, Pod owner, Pod other) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels != null
                && labels.containsKey(term.getTopologyKey())
                && selects(term, owner.getMetadata().getNamespace(), other, AntiAffinity::byName);
    }

    /** The required terms of a pod's anti-affinity. */
    static List<PodAffinityTerm> terms(Pod pod) {
        if (pod.getSpec().getAffinity() == null) {
            return List.of();
        }
        PodAntiAffinity antiAffinity = pod.getSpec().getAffinity().getPodAntiAffinity();
        return antiAffinity == null ? List.of() : antiAffinity.getRequiredDuringSchedulingIgnoredDuringExecution();
    }

    /**
     * Whether a term selects a pod.
     *
     * @param owner the namespace of the pod that states the term
     * @param namespaces the labels of a namespace by its name
     */
    static boolean selects(PodAffinityTerm term, String owner, Pod pod, NamespaceLabels namespaces) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return term.getLabelSelector() != null
                && inNamespace(term, owner, pod.getMetadata().getNamespace(), namespaces)
                && Selectors.match(term.getLabelSelector(), labels == null ? Map.of() : labels);
    }

    private static boolean inNamespace(
            PodAffinityTerm term, String owner, String namespace, NamespaceLabels namespaces) {
        List<String> named = term.getNamespaces();
        LabelSelector selector = term.getNamespaceSelector();
        if (named.isEmpty() && selector == null) {
            return owner.equals(namespace);
        }
        return named.contains(namespace) || (selector != null && Selectors.match(selector, namespaces.of(namespace)));
    }

    /** The label that every namespace has. */
    static Map<String, String> byName(String namespace) {
        return Map.of(NAMESPACE_NAME, namespace);
    }

    /** The labels of namespaces. */
    @FunctionalInterface
    interface NamespaceLabels {
        /** The labels of the namespace of this name. */
        Map<String, String> of(String namespace);
    }
}
