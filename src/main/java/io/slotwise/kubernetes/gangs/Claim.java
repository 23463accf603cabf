package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.Shown;
import org.jspecify.annotations.Nullable;

/**
 * What one pod says of its gang by one convention.
 *
 * @param convention which
 * @param gang the gang's name
 * @param group the name of what makes the gang: a group, an owner
 * @param kind of the object of that name; null: there is none
 * @param words where it says so, such as {@code `slotwise.io/gang` (g)}
 * @param problem why that is not enough to tell the gang; null: it is
 */
record Claim(
        Convention convention,
        String gang,
        String group,
        @Nullable GroupKind kind,
        String words,
        @Nullable String problem) {
    /** The longest name of a gang, as of an object. */
    private static final int LONGEST = 253;

    /** A gang with the name that its makers gave to the group. */
    static Claim group(Convention convention, String key, String group, @Nullable GroupKind kind) {
        return named(convention, group, group, kind, said(key, group));
    }

    /** A gang made by the controller of a workload: objects of several kinds may have one name, so the kind is part of the gang's. */
    static Claim owner(Convention convention, String key, String owner, GroupKind kind) {
        return named(convention, kind.gang(owner), owner, kind, said(key, owner));
    }

    /** Under a name that nobody can read or write nothing is planned. */
    private static Claim named(
            Convention convention, String gang, String group, @Nullable GroupKind kind, String words) {
        return Shown.isPlain(gang, LONGEST)
                ? new Claim(convention, gang, group, kind, words, null)
                : new Claim(
                        convention,
                        "unreadable-" + Integer.toHexString(gang.hashCode()),
                        group,
                        kind,
                        words,
                        "%s is not valid: expected a name of at most %d visible characters without a blank"
                                .formatted(words, LONGEST));
    }

    /** A pod that says that it has a gang, and not which. */
    static Claim unclear(Convention convention, Pod pod, String problem) {
        String own = Conventions.ownGang(pod);
        return new Claim(convention, own, own, null, "", problem);
    }

    private static String said(String key, String value) {
        return "`%s` (%s)".formatted(key, Shown.value(value));
    }

    /** Whether another pod means the same gang by the same convention. */
    boolean agrees(Claim other) {
        return convention.equals(other.convention) && kind == other.kind && group.equals(other.group);
    }
}
