package io.slotwise.web.access;

import java.util.Set;
import java.util.function.Predicate;

/**
 * What an answer is limited to. It is asked of values, before they become words.
 *
 * @param everything whether to nothing: all namespaces, and what belongs to the cluster as a whole
 * @param namespaces where not everything, those whose gangs are shown
 */
public record NamespaceScope(boolean everything, Set<String> namespaces) implements Predicate<String> {
    /** Shows everything. */
    public static final NamespaceScope EVERYTHING = new NamespaceScope(true, Set.of());

    public NamespaceScope {
        namespaces = Set.copyOf(namespaces);
    }

    /** Whether the gangs of a namespace are shown. */
    @Override
    public boolean test(String namespace) {
        return everything || namespaces.contains(namespace);
    }
}
