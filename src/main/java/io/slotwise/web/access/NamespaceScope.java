package io.slotwise.web.access;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The scope of an answer, applied to values before they become text.
 *
 * @param everything whether the scope is all namespaces and cluster-wide data
 * @param namespaces the visible ones, unless everything is visible
 * @param isPartial whether further rights are not known yet
 */
public record NamespaceScope(boolean everything, Set<String> namespaces, boolean isPartial)
        implements Predicate<String> {
    public static final NamespaceScope EVERYTHING = new NamespaceScope(true, Set.of());

    public NamespaceScope {
        namespaces = Set.copyOf(namespaces);
    }

    public NamespaceScope(boolean everything, Set<String> namespaces) {
        this(everything, namespaces, false);
    }

    /** Returns the notes for readers of answers with this scope. */
    public List<String> notes() {
        return isPartial
                ? List.of("not all namespaces are here: it is still asked in which of them you may list "
                        + "reservations.slotwise.io")
                : List.of();
    }

    @Override
    public boolean test(String namespace) {
        return everything || namespaces.contains(namespace);
    }
}
