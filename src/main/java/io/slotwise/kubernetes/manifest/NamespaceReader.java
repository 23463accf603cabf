package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Namespace;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.text.Suggestion;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the budgets of namespaces, and which namespaces' gangs may start after their gangs. */
public final class NamespaceReader {
    private NamespaceReader() {}

    public static SortedMap<String, Grant> grants(Collection<Namespace> namespaces) {
        TreeMap<String, Grant> grants = new TreeMap<>();
        for (Namespace namespace : namespaces) {
            Grant grant = Isolated.get(() -> grant(namespace), error -> failed(namespace, InternalFailure.of(error)));
            if (grant != null) {
                grants.put(namespace.getMetadata().getName(), grant);
            }
        }
        return grants;
    }

    /**
     * Returns, for each namespace, the namespaces whose gangs may start after its gangs. A value that cannot be read
     * admits none.
     *
     * @see io.slotwise.core.plan.GangEnds#admitted
     */
    static Map<String, Set<String>> admitted(Collection<Namespace> namespaces) {
        Map<String, Set<String>> admitted = new HashMap<>();
        for (Namespace namespace : namespaces) {
            Set<String> others = Isolated.get(() -> admitted(namespace), _ -> Set.of());
            if (!others.isEmpty()) {
                admitted.put(namespace.getMetadata().getName(), others);
            }
        }
        return admitted;
    }

    private static Set<String> admitted(Namespace namespace) {
        Set<String> others = stated(namespace).readOrNull(AnnotationKeys.AFTER_FROM, NamespaceReader::names);
        return others == null ? Set.of() : others;
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        for (String word : text.split(",", -1)) {
            String name = word.strip();
            if (!name.equals(GangEnds.ANY) && !GangId.isNamespace(name)) {
                throw new IllegalArgumentException("expected the names of namespaces, separated by commas, or *");
            }
            names.add(name);
        }
        return names;
    }

    private static @Nullable Grant grant(Namespace namespace) {
        AnnotationReader annotations = stated(namespace);
        if (annotations.text(AnnotationKeys.BUDGET) == null) {
            return annotations.flaws().stream()
                    .map(ManifestFlaw::refusal)
                    .filter(invalid -> mayMeanBudget(invalid.field()))
                    .findFirst()
                    .map(invalid -> new Grant.Unreadable(invalid.message()))
                    .orElse(null);
        }
        Allotment allotment = annotations.readOrNull(AnnotationKeys.BUDGET, Allotment::parse);
        return allotment == null ? new Grant.Unreadable(annotations.problems().getLast()) : new Grant.Given(allotment);
    }

    /** Returns whether a misspelt or misplaced key may be meant as the budget. Ignoring it would set no limit. */
    private static boolean mayMeanBudget(@Nullable String key) {
        String budget = AnnotationKeys.BUDGET.substring(AnnotationKeys.PREFIX.length());
        String word = key == null ? "" : key.substring(key.indexOf('/') + 1).toLowerCase(Locale.ROOT);
        return word.contains(budget)
                || Suggestion.nearest(word, List.of(budget)).isPresent();
    }

    private static Grant.Unreadable failed(Namespace namespace, InternalFailure failure) {
        return new Grant.Unreadable("namespace %s cannot be read because of %s"
                .formatted(namespace.getMetadata().getName(), failure));
    }

    static List<IntakeWarning> warnings(Collection<Namespace> namespaces) {
        return namespaces.stream()
                .sorted(Comparator.comparing(
                        namespace -> namespace.getMetadata().getName()))
                .flatMap(namespace -> Isolated.get(() -> problems(namespace), error -> {
                            InternalFailure failure = InternalFailure.of(error);
                            return List.of(warning(
                                    namespace, failed(namespace, failure).problem(), failure));
                        })
                        .stream())
                .toList();
    }

    private static List<IntakeWarning> problems(Namespace namespace) {
        AnnotationReader annotations = stated(namespace);
        annotations.readOrNull(AnnotationKeys.BUDGET, Allotment::parse);
        annotations.readOrNull(AnnotationKeys.AFTER_FROM, NamespaceReader::names);
        return annotations.problems().stream()
                .map(problem -> warning(namespace, problem, null))
                .toList();
    }

    private static IntakeWarning warning(Namespace namespace, String problem, @Nullable InternalFailure failure) {
        return new IntakeWarning(IntakeWarning.Reason.INVALID_VALUE, Subject.of(namespace), problem, failure);
    }

    private static AnnotationReader stated(Namespace namespace) {
        AnnotationReader annotationReader = new AnnotationReader();
        Map<String, String> annotations = namespace.getMetadata().getAnnotations();
        annotationReader.add(
                "namespace " + namespace.getMetadata().getName(),
                namespace.getMetadata().getLabels(),
                annotations,
                Set.of(),
                AnnotationKeys.NAMESPACE_ANNOTATIONS);
        return annotationReader;
    }
}
