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

/**
 * What several pods have in common that an admin should know: told once, with the pods that it is about. Scratch of one
 * run.
 */
public final class PodFindings {
    private static final int SHOWN = 3;

    private final Map<Finding, SortedSet<String>> pods = new LinkedHashMap<>();

    /**
     * What is found.
     *
     * @param name of this object, as {@code namespace/name} if it has a namespace; empty: it is about the pods
     *     themselves, or about no single object
     * @param field of the pods
     * @param statement what is so, the beginning of a sentence that names the object
     * @param consequence what follows for the plan, its end
     */
    public record Finding(
            IntakeWarning.Reason reason, String kind, String name, String field, String statement, String consequence) {
        /** An object that a field of pods names is not in the input, nor is any other of its kind. */
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
     * A warning for each finding, in the order in which they were found.
     *
     * @param counts whether a pod, by {@code namespace/name}, has a part in the plan
     */
    public List<IntakeWarning> warnings(Predicate<String> counts) {
        List<IntakeWarning> warnings = new ArrayList<>();
        pods.forEach((finding, names) -> {
            List<String> those = names.stream().filter(counts).toList();
            if (!those.isEmpty()) {
                String name = finding.kind().equals("Pod") ? those.getFirst() : finding.name();
                int slash = name.indexOf('/');
                warnings.add(IntakeWarning.of(
                        finding.reason(),
                        new Subject(
                                finding.kind(), slash < 0 ? "" : name.substring(0, slash), name.substring(slash + 1)),
                        finding.field(),
                        "%s (`%s` of %s)".formatted(finding.statement(), finding.field(), pods(those)),
                        finding.consequence()));
            }
        });
        return warnings;
    }

    /** Pods in words, the first few by name. */
    public static String pods(List<String> names) {
        return (names.size() == 1 ? "pod " : "pods ") + few(names);
    }

    /** The first few names, and how many more there are. */
    public static String few(List<String> names) {
        String more = names.size() > SHOWN ? " and %d more".formatted(names.size() - SHOWN) : "";
        return String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))) + more;
    }
}
