package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Namespace;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Grant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the budgets that namespaces state. */
public final class NamespaceReader {
    private NamespaceReader() {}

    /** The budgets of those that state one, by namespace. */
    public static SortedMap<String, Grant> grants(Collection<Namespace> namespaces) {
        TreeMap<String, Grant> grants = new TreeMap<>();
        for (Namespace namespace : namespaces) {
            Stated stated = stated(namespace);
            if (stated.text(Keys.BUDGET) != null) {
                Allotment allotment = stated.readOrNull(Keys.BUDGET, Allotment::parse);
                grants.put(
                        namespace.getMetadata().getName(),
                        allotment == null
                                ? new Grant.Unreadable(stated.problems().getLast())
                                : new Grant.Given(allotment));
            }
        }
        return grants;
    }

    /** What is wrong with namespaces, by name. */
    static List<Warning> warnings(Collection<Namespace> namespaces) {
        return namespaces.stream()
                .sorted(Comparator.comparing(
                        namespace -> namespace.getMetadata().getName()))
                .flatMap(namespace -> {
                    Stated stated = stated(namespace);
                    stated.readOrNull(Keys.BUDGET, Allotment::parse);
                    return stated.problems().stream().map(problem -> warning(namespace, problem));
                })
                .toList();
    }

    private static Warning warning(Namespace namespace, String problem) {
        return new Warning(
                Warning.Reason.INVALID_VALUE,
                "Namespace",
                "",
                namespace.getMetadata().getName(),
                problem);
    }

    private static Stated stated(Namespace namespace) {
        Stated stated = new Stated();
        Map<String, String> annotations = namespace.getMetadata().getAnnotations();
        stated.add(
                "namespace " + namespace.getMetadata().getName(),
                namespace.getMetadata().getLabels(),
                annotations,
                Set.of(),
                Keys.NAMESPACE_ANNOTATIONS);
        return stated;
    }
}
