package io.slotwise.kubernetes.manifest.pods;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The different kinds of something that the pods of each namespace have, as many as a namespace may have: first come,
 * first served. Scratch of one run; O(1) for each question.
 */
public final class NamespaceKinds {
    private final int most;
    private final Map<String, Kinds> ofNamespaces = new HashMap<>();
    private long parts;

    private static final class Kinds {
        private final Set<String> names = new HashSet<>();
        private int parts;
    }

    /** There is none yet; the kinds of a namespace may have {@code most} parts together. */
    public NamespaceKinds(int most) {
        this.most = most;
    }

    /** Returns whether a kind with so many parts is one that its namespace has, or now has with them. */
    public boolean take(String namespace, String kind, int more) {
        Kinds kinds = ofNamespaces.computeIfAbsent(namespace, _ -> new Kinds());
        if (kinds.names.contains(kind)) {
            return true;
        }
        if (more > most - kinds.parts) {
            return false;
        }
        kinds.parts += more;
        parts += more;
        return kinds.names.add(kind);
    }

    /** What the kinds of all namespaces have together. */
    public long parts() {
        return parts;
    }
}
