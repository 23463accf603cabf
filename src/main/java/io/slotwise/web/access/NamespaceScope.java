package io.slotwise.web.access;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What an answer is limited to. It is asked of values, before they become words.
 *
 * @param everything whether to nothing: all namespaces, and what belongs to the cluster as a whole
 * @param namespaces where not everything, those whose gangs are shown
 * @param isPartial whether others may be shown later, since it is not known yet whether they may be
 */
public record NamespaceScope(boolean everything, Set<String> namespaces, boolean isPartial)
        implements Predicate<String> {
    public static final NamespaceScope EVERYTHING = new NamespaceScope(true, Set.of());

    public NamespaceScope {
        namespaces = Set.copyOf(namespaces);
    }

    /** One of which all is known. */
    public NamespaceScope(boolean everything, Set<String> namespaces) {
        this(everything, namespaces, false);
    }

    /** What a reader should know of an answer that is limited so. */
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
