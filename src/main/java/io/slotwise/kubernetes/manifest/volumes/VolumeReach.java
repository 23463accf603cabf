package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Requirement.Operator;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The nodes that can reach volumes, as alternative terms of which a node has to meet one. */
final class VolumeReach {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";
    /** Labels of volumes that select nodes, with their current names. */
    private static final Map<String, String> TOPOLOGY = Map.of(
            ZONE,
            ZONE,
            REGION,
            REGION,
            "failure-domain.beta.kubernetes.io/zone",
            ZONE,
            "failure-domain.beta.kubernetes.io/region",
            REGION);

    static final List<Term> NOWHERE = List.of(new Term(List.of(), List.of()));

    private VolumeReach() {}

    static List<List<Term>> of(PersistentVolume volume) {
        List<List<Term>> reach = new ArrayList<>();
        if (volume.getSpec() != null
                && volume.getSpec().getNodeAffinity() != null
                && volume.getSpec().getNodeAffinity().getRequired() != null) {
            reach.add(PodConstraints.terms(volume.getSpec().getNodeAffinity().getRequired()));
        }
        new TreeMap<>(Labels.of(volume)).forEach((key, value) -> {
            if (TOPOLOGY.containsKey(key)) {
                reach.add(zoned(key, List.of(value.split("__"))));
            }
        });
        return reach;
    }

    /** Returns the terms of a zone or region label. A node without any such label can use volumes of every zone. */
    private static List<Term> zoned(String key, List<String> values) {
        List<Term> terms = new ArrayList<>();
        terms.add(labelled(new Requirement(key, Operator.IN, values)));
        String today = TOPOLOGY.getOrDefault(key, key);
        if (!today.equals(key)) {
            terms.add(labelled(
                    new Requirement(key, Operator.DOES_NOT_EXIST, List.of()),
                    new Requirement(today, Operator.IN, values)));
        }
        terms.add(new Term(
                TOPOLOGY.keySet().stream()
                        .sorted()
                        .map(label -> new Requirement(label, Operator.DOES_NOT_EXIST, List.of()))
                        .toList(),
                List.of()));
        return terms;
    }

    private static Term labelled(Requirement... requirements) {
        return new Term(List.of(requirements), List.of());
    }

    /**
     * Returns the terms for nodes on which a class creates volumes. A node has to meet one of them; empty for
     * everywhere.
     */
    static List<Term> allowed(StorageClass storageClass) {
        return storageClass.getAllowedTopologies().stream()
                .map(term -> new Term(
                        term.getMatchLabelExpressions().stream()
                                .map(label -> new Requirement(label.getKey(), Operator.IN, label.getValues()))
                                .toList(),
                        List.of()))
                .toList();
    }

    /** Merges the terms that require values of the same single label. */
    static List<Term> merged(Set<Term> terms) {
        Map<String, Set<String>> values = new TreeMap<>();
        List<Term> merged = new ArrayList<>();
        for (Term term : terms) {
            Requirement requirement = term.labels().size() == 1 && term.fields().isEmpty()
                    ? term.labels().getFirst()
                    : null;
            if (requirement != null && requirement.operator() == Operator.IN) {
                values.computeIfAbsent(requirement.key(), _ -> new TreeSet<>()).addAll(requirement.values());
            } else {
                merged.add(term);
            }
        }
        values.forEach(
                (key, keyValues) -> merged.add(labelled(new Requirement(key, Operator.IN, List.copyOf(keyValues)))));
        merged.sort(Comparator.comparing(Term::toString));
        return merged;
    }
}
