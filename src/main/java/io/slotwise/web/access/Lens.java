package io.slotwise.web.access;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What an answer is limited to.
 *
 * @param everything whether to nothing: all namespaces, and what belongs to the cluster as a whole
 * @param namespaces where not everything, those whose gangs are shown
 */
public record Lens(boolean everything, Set<String> namespaces) {
    /** Shows everything. */
    public static final Lens EVERYTHING = new Lens(true, Set.of());

    /** A gang or pod with its namespace, in a sentence or in JSON; no resource's name, whose first part has a dot, and no amount of a period. */
    private static final Pattern NAME = Pattern.compile(
            "(?<![\\w.:/-])([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)/(?!(?:day|week|month)\\b)[A-Za-z0-9](?:[-A-Za-z0-9._]*[A-Za-z0-9])?");

    private static final String HIDDEN = "a gang of another namespace";

    public Lens {
        namespaces = Set.copyOf(namespaces);
    }

    /** A text without the names of gangs that are not shown: a sentence may tell whom a gang waits for. O(length). */
    public String veiled(String text) {
        return everything ? text : NAME.matcher(text).replaceAll(name -> shows(name.group(1)) ? name.group() : HIDDEN);
    }

    /** Whether the gangs of a namespace are shown. */
    public boolean shows(String namespace) {
        return everything || namespaces.contains(namespace);
    }
}
