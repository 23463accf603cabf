package io.slotwise.core.gang;

import java.util.Comparator;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The identity of a gang: its pods' namespace, and a name that is unique there. */
public record GangId(String namespace, String name) implements Comparable<GangId> {
    private static final Comparator<GangId> ORDER =
            Comparator.comparing(GangId::namespace).thenComparing(GangId::name);

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** Returns whether this is a valid name of a namespace. O(length). */
    public static boolean isNamespace(String name) {
        return NAMESPACE.matcher(name).matches();
    }

    /** Returns the gang for a reader of these namespaces, or null if the reader may not see it. */
    public static @Nullable GangId asSeen(@Nullable GangId gang, Predicate<String> namespaces) {
        return gang != null && namespaces.test(gang.namespace()) ? gang : null;
    }

    /** Returns the gang for a sentence. Null stands for a gang that the reader may not see. */
    public static String named(@Nullable GangId gang) {
        return gang == null ? "a gang of another namespace" : gang.toString();
    }

    @Override
    public int compareTo(GangId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
