package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pod's statement about its gang by one convention.
 *
 * @param gang the gang's name
 * @param group the name of the object that makes the gang: a group or an owner
 * @param kind the kind of that object, or null
 * @param source the place of the statement in words, such as {@code `slotwise.io/gang` (g)}; computed on demand
 * @param problem why the statement does not identify the gang, or null
 */
record GangMembership(
        Convention convention,
        String gang,
        String group,
        @Nullable GroupKind kind,
        Supplier<String> source,
        @Nullable String problem) {
    /** The longest name of a gang, as of an object. */
    private static final int LONGEST = 253;

    /** Makes a membership in a gang with the name of its group. */
    static GangMembership group(Convention convention, String key, String group, @Nullable GroupKind kind) {
        return named(convention, group, group, kind, () -> quoted(key, group));
    }

    /**
     * Makes a membership in a gang of a workload's controller. Objects of several kinds may have the same name, so the
     * kind is part of the gang's name.
     */
    static GangMembership owner(Convention convention, String key, String owner, GroupKind kind) {
        return named(convention, kind.gang(owner), owner, kind, () -> quoted(key, owner));
    }

    /** Makes a membership. A name that users could not read or write is a problem, and nothing is planned under it. */
    private static GangMembership named(
            Convention convention, String gang, String group, @Nullable GroupKind kind, Supplier<String> source) {
        return SafeText.isPlain(gang, LONGEST)
                ? new GangMembership(convention, gang, group, kind, source, null)
                : new GangMembership(
                        convention,
                        "unreadable-" + Integer.toHexString(gang.hashCode()),
                        group,
                        kind,
                        source,
                        "%s is not valid: expected a name of at most %d visible characters without a blank"
                                .formatted(source.get(), LONGEST));
    }

    /** Makes a membership of a pod that states that it has a gang, but not which. */
    static GangMembership unclear(Convention convention, Pod pod, String problem) {
        String own = Conventions.ownGang(pod);
        return new GangMembership(convention, own, own, null, () -> "", problem);
    }

    private static String quoted(String key, String value) {
        return "`%s` (%s)".formatted(key, SafeText.value(value));
    }

    String words() {
        return source.get();
    }

    boolean agrees(GangMembership other) {
        return convention.equals(other.convention) && kind == other.kind && group.equals(other.group);
    }
}
