package io.slotwise.kubernetes.manifest.pods;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The different kinds of something in each namespace, up to a limit per namespace, first come, first served. Not
 * reused. O(1) per call.
 */
public final class NamespaceKinds {
    private final int most;
    private final Map<String, Kinds> ofNamespaces = new HashMap<>();
    private long parts;

    private static final class Kinds {
        private final Set<String> names = new HashSet<>();
        private int parts;
    }

    /**
     * @param most the most parts of all kinds of a namespace together
     */
    public NamespaceKinds(int most) {
        this.most = most;
    }

    /**
     * Adds a kind with {@code more} parts to its namespace if it is new. Returns false if it is new and the parts
     * exceed the limit.
     */
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

    public long parts() {
        return parts;
    }
}
