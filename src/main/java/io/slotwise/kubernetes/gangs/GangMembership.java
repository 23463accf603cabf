package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one pod says of its gang by one convention.
 *
 * @param convention which
 * @param gang the gang's name
 * @param group the name of what makes the gang: a group, an owner
 * @param kind of the object of that name; null: there is none
 * @param said where it says so, in words that few ask for, such as {@code `slotwise.io/gang` (g)}
 * @param problem why that is not enough to tell the gang; null: it is
 */
record GangMembership(
        Convention convention,
        String gang,
        String group,
        @Nullable GroupKind kind,
        Supplier<String> said,
        @Nullable String problem) {
    /** The longest name of a gang, as of an object. */
    private static final int LONGEST = 253;

    /** A gang with the name that its makers gave to the group. */
    static GangMembership group(Convention convention, String key, String group, @Nullable GroupKind kind) {
        return named(convention, group, group, kind, () -> quoted(key, group));
    }

    /**
     * A gang made by the controller of a workload: objects of several kinds may have one name, so the kind is part of
     * the gang's.
     */
    static GangMembership owner(Convention convention, String key, String owner, GroupKind kind) {
        return named(convention, kind.gang(owner), owner, kind, () -> quoted(key, owner));
    }

    /** Slotwise plans nothing under a name that no user can read or write. */
    private static GangMembership named(
            Convention convention, String gang, String group, @Nullable GroupKind kind, Supplier<String> said) {
        return SafeText.isPlain(gang, LONGEST)
                ? new GangMembership(convention, gang, group, kind, said, null)
                : new GangMembership(
                        convention,
                        "unreadable-" + Integer.toHexString(gang.hashCode()),
                        group,
                        kind,
                        said,
                        "%s is not valid: expected a name of at most %d visible characters without a blank"
                                .formatted(said.get(), LONGEST));
    }

    /** A pod that says that it has a gang, and not which. */
    static GangMembership unclear(Convention convention, Pod pod, String problem) {
        String own = Conventions.ownGang(pod);
        return new GangMembership(convention, own, own, null, () -> "", problem);
    }

    private static String quoted(String key, String value) {
        return "`%s` (%s)".formatted(key, SafeText.value(value));
    }

    /** Where the pod says so. */
    String words() {
        return said.get();
    }

    /** Whether another pod means the same gang by the same convention. */
    boolean agrees(GangMembership other) {
        return convention.equals(other.convention) && kind == other.kind && group.equals(other.group);
    }
}
