package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Notes for an admin that several pods have in common, each reported once with its pods. Not reused. */
public final class PodFindings {
    private static final int SHOWN = 3;

    private final Map<Finding, SortedSet<String>> pods = new LinkedHashMap<>();

    /**
     * A note.
     *
     * @param name the object's name, as {@code namespace/name} if it has a namespace; empty for the pods themselves or
     *     for no single object
     * @param field the field of the pods
     * @param statement the beginning of a sentence that names the object
     * @param consequence the consequence for the plan, which ends the sentence
     */
    public record Finding(
            IntakeWarning.Reason reason, String kind, String name, String field, String statement, String consequence) {
        /** Makes a note about an object that a field of pods names while its whole kind is missing from the input. */
        public static Finding missing(String kind, String name, String field, String consequence) {
            return new Finding(
                    IntakeWarning.Reason.MISSING,
                    kind,
                    name,
                    field,
                    kind + " " + name + " is not in the input",
                    consequence);
        }
    }

    public void add(Finding finding, Pod pod) {
        String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
        pods.computeIfAbsent(finding, _ -> new TreeSet<>()).add(name);
    }

    public boolean isEmpty() {
        return pods.isEmpty();
    }

    /**
     * Returns one warning for each finding.
     *
     * @param counts tells whether a pod, by {@code namespace/name}, is part of the plan
     */
    public List<IntakeWarning> warnings(Predicate<String> counts) {
        List<IntakeWarning> warnings = new ArrayList<>();
        pods.forEach((finding, names) -> {
            List<String> counted = names.stream().filter(counts).toList();
            if (!counted.isEmpty()) {
                String name = finding.kind().equals("Pod") ? counted.getFirst() : finding.name();
                int slash = name.indexOf('/');
                warnings.add(IntakeWarning.of(
                        finding.reason(),
                        new Subject(
                                finding.kind(), slash < 0 ? "" : name.substring(0, slash), name.substring(slash + 1)),
                        finding.field(),
                        "%s (`%s` of %s)".formatted(finding.statement(), finding.field(), pods(counted)),
                        finding.consequence()));
            }
        });
        return warnings;
    }

    /** Returns pods in words, the first few by name. */
    public static String pods(List<String> names) {
        return (names.size() == 1 ? "pod " : "pods ") + few(names);
    }

    public static String few(List<String> names) {
        String more = names.size() > SHOWN ? " and %d more".formatted(names.size() - SHOWN) : "";
        return String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))) + more;
    }
}
