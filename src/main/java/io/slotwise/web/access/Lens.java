package io.slotwise.web.access;

import java.util.Set;

/**
 * What an answer is limited to.
 *
 * @param everything whether to nothing: all namespaces, and what belongs to the cluster as a whole
 * @param namespaces where not everything, those whose gangs are shown
 */
public record Lens(boolean everything, Set<String> namespaces) {
    /** Shows everything. */
    public static final Lens EVERYTHING = new Lens(true, Set.of());

    public Lens {
        namespaces = Set.copyOf(namespaces);
    }

    /** Whether the gangs of a namespace are shown. */
    public boolean shows(String namespace) {
        return everything || namespaces.contains(namespace);
    }
}
