package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Required anti-affinity between pods, with kube-scheduler's semantics. */
public final class AntiAffinity {
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private AntiAffinity() {}

    /**
     * Returns a pod of the node that must not share it with a new pod, because of the required anti-affinity of either.
     * Null if there is none.
     *
     * @param residents the pods bound to the node that have not ended
     */
    public static @Nullable Pod conflict(Node node, Collection<Pod> residents, Pod newcomer) {
        List<PodAffinityTerm> own = terms(newcomer);
        for (Pod residentPod : residents) {
            if (own.stream().anyMatch(term -> closes(term, node, newcomer, residentPod))
                    || terms(residentPod).stream().anyMatch(term -> closes(term, node, residentPod, newcomer))) {
                return residentPod;
            }
        }
        return null;
    }

    private static boolean closes(PodAffinityTerm term, Node node, Pod pod, Pod other) {
        return Labels.of(node).containsKey(term.getTopologyKey())
                && selects(term, pod.getMetadata().getNamespace(), other, AntiAffinity::byName);
    }

    /** Returns the required terms of a pod's anti-affinity, completed by their label keys. */
    public static List<PodAffinityTerm> terms(Pod pod) {
        if (pod.getSpec().getAffinity() == null) {
            return List.of();
        }
        PodAntiAffinity antiAffinity = pod.getSpec().getAffinity().getPodAntiAffinity();
        List<PodAffinityTerm> terms =
                antiAffinity == null ? List.of() : antiAffinity.getRequiredDuringSchedulingIgnoredDuringExecution();
        return terms.isEmpty()
                ? terms
                : terms.stream().map(term -> completed(term, Labels.of(pod))).toList();
    }

    /**
     * @param owner the namespace of the pod that states the term
     * @param namespaces returns the labels of a namespace by its name
     */
    static boolean selects(PodAffinityTerm term, String owner, Pod pod, NamespaceLabels namespaces) {
        return term.getLabelSelector() != null
                && inNamespace(term, owner, pod.getMetadata().getNamespace(), namespaces)
                && LabelSelectors.match(term.getLabelSelector(), Labels.of(pod));
    }

    private static boolean inNamespace(
            PodAffinityTerm term, String owner, String namespace, NamespaceLabels namespaces) {
        List<String> named = term.getNamespaces();
        LabelSelector selector = term.getNamespaceSelector();
        if (named.isEmpty() && selector == null) {
            return owner.equals(namespace);
        }
        return named.contains(namespace)
                || (selector != null && LabelSelectors.match(selector, namespaces.of(namespace)));
    }

    /** Completes a term by its label keys, as the API server does when a pod with these labels is created. */
    static PodAffinityTerm completed(PodAffinityTerm term, Map<String, String> own) {
        return term.getMatchLabelKeys().isEmpty() && term.getMismatchLabelKeys().isEmpty()
                ? term
                : new PodAffinityTermBuilder(term)
                        .withLabelSelector(completed(
                                term.getLabelSelector(), term.getMatchLabelKeys(), term.getMismatchLabelKeys(), own))
                        .build();
    }

    /**
     * @param same keys for which the pod's own values are required
     * @param other keys for which the pod's own values are excluded
     */
    static @Nullable LabelSelector completed(
            @Nullable LabelSelector selector, List<String> same, List<String> other, Map<String, String> own) {
        if (selector == null) {
            return null;
        }
        List<LabelSelectorRequirement> more = new ArrayList<>();
        same.stream().filter(own::containsKey).forEach(key -> more.add(requirement(key, "In", own)));
        other.stream().filter(own::containsKey).forEach(key -> more.add(requirement(key, "NotIn", own)));
        more.removeAll(selector.getMatchExpressions());
        return more.isEmpty()
                ? selector
                : new LabelSelectorBuilder(selector)
                        .addAllToMatchExpressions(more)
                        .build();
    }

    private static LabelSelectorRequirement requirement(String key, String operator, Map<String, String> own) {
        return new LabelSelectorRequirementBuilder()
                .withKey(key)
                .withOperator(operator)
                .withValues(own.get(key))
                .build();
    }

    /** Returns the labels of these namespaces. An unknown namespace has only the label of its name. */
    public static NamespaceLabels labels(List<Namespace> namespaces) {
        Map<String, Map<String, String>> known = namespaces.stream()
                .filter(namespace -> namespace.getMetadata().getLabels() != null)
                .collect(Collectors.toMap(
                        namespace -> namespace.getMetadata().getName(), Labels::of, (first, _) -> first));
        return namespace -> {
            Map<String, String> labels = known.get(namespace);
            return labels == null ? byName(namespace) : labels;
        };
    }

    static Map<String, String> byName(String namespace) {
        return Map.of(NAMESPACE_NAME, namespace);
    }

    @FunctionalInterface
    public interface NamespaceLabels {
        Map<String, String> of(String namespace);
    }
}
