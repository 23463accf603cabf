package io.slotwise.core.gang;

import java.util.Comparator;

/**
 * What names a gang.
 *
 * @param namespace its pods' namespace
 * @param name unique in the namespace
 */
public record GangId(String namespace, String name) implements Comparable<GangId> {
    private static final Comparator<GangId> ORDER =
            Comparator.comparing(GangId::namespace).thenComparing(GangId::name);

    @Override
    public int compareTo(GangId other) {
        return ORDER.compare(this, other);
    }

    /** {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
