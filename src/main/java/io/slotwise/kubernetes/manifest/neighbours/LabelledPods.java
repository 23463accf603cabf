package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.slotwise.kubernetes.manifest.field.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pods by their labels, so that few of them are compared with a term of affinity. O(labels of all pods). */
final class LabelledPods {
    /** Stands for all namespaces, and for all values of a label. */
    private static final String ALL = "";

    private final Map<Asked, List<Pod>> pods = new HashMap<>();

    private record Asked(String namespace, String key, String value) {}

    LabelledPods(Collection<Pod> all) {
        for (Pod pod : all) {
            for (String namespace :
                    List.of(ALL, String.valueOf(pod.getMetadata().getNamespace()))) {
                add(new Asked(namespace, ALL, ALL), pod);
                Labels.of(pod).forEach((key, value) -> add(new Asked(namespace, key, value), pod));
            }
        }
    }

    private void add(Asked asked, Pod pod) {
        pods.computeIfAbsent(asked, _ -> new ArrayList<>()).add(pod);
    }

    /**
     * Returns lists of pods that together contain all pods that a term selects: the shortest lists by its requirements.
     * O(values of the term).
     *
     * @param owner the namespace of the pods that state the term
     */
    List<List<Pod>> among(PodAffinityTerm term, String owner) {
        LabelSelector selector = term.getLabelSelector();
        if (selector == null) {
            return List.of();
        }
        String namespace =
                term.getNamespaces().isEmpty() && term.getNamespaceSelector() == null ? String.valueOf(owner) : ALL;
        Map<String, String> equal = selector.getMatchLabels();
        List<List<List<Pod>>> tell = new ArrayList<>();
        tell.add(of(namespace, ALL, List.of(ALL)));
        if (equal != null) {
            equal.forEach((key, value) -> tell.add(of(namespace, key, List.of(value))));
        }
        selector.getMatchExpressions().stream()
                .filter(requirement -> "In".equals(requirement.getOperator()))
                .forEach(requirement -> tell.add(of(namespace, requirement.getKey(), requirement.getValues())));
        List<List<Pod>> shortest = tell.getFirst();
        for (List<List<Pod>> one : tell) {
            shortest = size(one) < size(shortest) ? one : shortest;
        }
        return shortest;
    }

    private List<List<Pod>> of(String namespace, String key, Collection<String> values) {
        return values.stream()
                .map(value -> pods.getOrDefault(new Asked(namespace, key, value), List.of()))
                .toList();
    }

    static int size(List<List<Pod>> lists) {
        return (int)
                Math.min(Integer.MAX_VALUE, lists.stream().mapToLong(List::size).sum());
    }
}
