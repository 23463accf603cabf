package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.NodeConstraint.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes on which a pod may run: its node selector, required node affinity and tolerations. */
public final class PodConstraints {
    private PodConstraints() {}

    /**
     * Returns the constraint of a pod.
     *
     * @param pinned the node that Slotwise pinned the pod to at its release, which is no constraint of the gang; null
     *     if none
     * @param avoided the nodes that refused the gang
     * @throws IllegalArgumentException if an operator or effect is unknown
     */
    public static NodeConstraint of(PodSpec spec, @Nullable String pinned, Set<String> avoided) {
        Map<String, String> selector = spec.getNodeSelector();
        return new NodeConstraint(
                selector == null ? Map.of() : selector,
                terms(Pods.requiredNodes(spec), pinned),
                spec.getTolerations().stream().map(PodConstraints::toleration).toList(),
                avoided);
    }

    public static Taint.Effect effect(@Nullable String effect) {
        return switch (String.valueOf(effect)) {
            case "NoSchedule" -> Taint.Effect.NO_SCHEDULE;
            case "NoExecute" -> Taint.Effect.NO_EXECUTE;
            case "PreferNoSchedule" -> Taint.Effect.PREFER_NO_SCHEDULE;
            default ->
                throw new IllegalArgumentException(
                        "the effect (%s) is not known: expected NoSchedule, NoExecute or PreferNoSchedule"
                                .formatted(effect));
        };
    }

    public static @Nullable Affinity affinity(NodeConstraint constraint) {
        if (constraint.affinity().isEmpty()) {
            return null;
        }
        List<NodeSelectorTerm> terms = constraint.affinity().stream()
                .map(term -> new NodeSelectorTermBuilder()
                        .withMatchExpressions(written(term.labels()))
                        .withMatchFields(written(term.fields()))
                        .build())
                .toList();
        return new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(terms)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    private static List<NodeSelectorRequirement> written(List<Requirement> requirements) {
        return requirements.stream()
                .map(requirement -> new NodeSelectorRequirement(
                        requirement.key(), word(requirement.operator()), requirement.values()))
                .toList();
    }

    private static String word(Requirement.Operator operator) {
        return switch (operator) {
            case IN -> "In";
            case NOT_IN -> "NotIn";
            case EXISTS -> "Exists";
            case DOES_NOT_EXIST -> "DoesNotExist";
            case GT -> "Gt";
            case LT -> "Lt";
        };
    }

    public static List<io.fabric8.kubernetes.api.model.Toleration> tolerations(NodeConstraint constraint) {
        return constraint.tolerations().stream()
                .map(toleration -> new TolerationBuilder()
                        .withKey(toleration.key())
                        .withOperator(toleration.exists() ? "Exists" : "Equal")
                        .withValue(toleration.exists() ? null : toleration.value())
                        .withEffect(toleration.effect() == null ? null : word(toleration.effect()))
                        .build())
                .toList();
    }

    private static String word(Taint.Effect effect) {
        return switch (effect) {
            case NO_SCHEDULE -> "NoSchedule";
            case NO_EXECUTE -> "NoExecute";
            case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
        };
    }

    private static Toleration toleration(io.fabric8.kubernetes.api.model.Toleration toleration) {
        String key = blankToNull(toleration.getKey());
        String operator = blankToNull(toleration.getOperator());
        if (operator != null && !operator.equals("Equal") && !operator.equals("Exists")) {
            throw new IllegalArgumentException(
                    "the operator (%s) of a toleration is not supported by this version: expected Equal or Exists"
                            .formatted(operator));
        }
        String effect = blankToNull(toleration.getEffect());
        return new Toleration(
                key,
                "Exists".equals(operator),
                toleration.getValue() == null ? "" : toleration.getValue(),
                effect == null ? null : effect(effect));
    }

    private static List<Term> terms(@Nullable NodeSelector required, @Nullable String pinned) {
        if (required == null) {
            return List.of();
        }
        List<NodeSelectorTerm> stated = required.getNodeSelectorTerms();
        if (stated.isEmpty()) {
            // In Kubernetes a required affinity without terms matches no node.
            return List.of(new Term(List.of(), List.of()));
        }
        Requirement requirement =
                pinned == null ? null : new Requirement("metadata.name", Requirement.Operator.IN, List.of(pinned));
        List<Term> terms = stated.stream().map(term -> term(term, requirement)).toList();
        // Pinning adds the pin to every existing term. A term that has nothing but the pin was created by pinning, so
        // the pod itself states no affinity.
        boolean onlyPin = requirement != null
                && terms.stream()
                        .anyMatch(
                                term -> term.labels().isEmpty() && term.fields().isEmpty());
        return onlyPin ? List.of() : terms;
    }

    /**
     * Returns the alternative terms of a node selector.
     *
     * @throws IllegalArgumentException if an operator is unknown
     */
    public static List<Term> terms(NodeSelector selector) {
        List<NodeSelectorTerm> stated = selector.getNodeSelectorTerms();
        return stated.isEmpty()
                ? List.of(new Term(List.of(), List.of()))
                : stated.stream().map(term -> term(term, null)).toList();
    }

    private static Term term(NodeSelectorTerm term, @Nullable Requirement pinRequirement) {
        return new Term(
                term.getMatchExpressions().stream()
                        .map(PodConstraints::requirement)
                        .toList(),
                term.getMatchFields().stream()
                        .map(PodConstraints::requirement)
                        .filter(fieldRequirement -> !fieldRequirement.equals(pinRequirement))
                        .toList());
    }

    private static Requirement requirement(NodeSelectorRequirement requirement) {
        Requirement.Operator operator = switch (String.valueOf(requirement.getOperator())) {
            case "In" -> Requirement.Operator.IN;
            case "NotIn" -> Requirement.Operator.NOT_IN;
            case "Exists" -> Requirement.Operator.EXISTS;
            case "DoesNotExist" -> Requirement.Operator.DOES_NOT_EXIST;
            case "Gt" -> Requirement.Operator.GT;
            case "Lt" -> Requirement.Operator.LT;
            default ->
                throw new IllegalArgumentException(
                        ("the operator (%s) of the node affinity on %s is not known: expected In, NotIn, Exists, "
                                        + "DoesNotExist, Gt or Lt")
                                .formatted(requirement.getOperator(), requirement.getKey()));
        };
        return new Requirement(requirement.getKey(), operator, requirement.getValues());
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
