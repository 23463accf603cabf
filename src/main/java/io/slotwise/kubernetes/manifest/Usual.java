package io.slotwise.kubernetes.manifest;

import io.slotwise.core.gang.Criterion;
import io.slotwise.live.Settings;
import io.slotwise.live.Terms;
import org.jspecify.annotations.Nullable;

/**
 * What counts for a gang that does not state it.
 *
 * @param runtime on the reference node, seconds
 * @param criterion what it wants to be least
 */
public record Usual(long runtime, Criterion criterion) {
    /** What the policy says. */
    static Usual of(Settings settings) {
        return new Usual(settings.defaultRuntime(), settings.defaultCriterion());
    }

    /** The same with another runtime. */
    Usual lasting(long seconds) {
        return new Usual(seconds, criterion);
    }

    /** What a gang's record says; null if it is older than these figures. */
    public static @Nullable Usual of(Terms terms) {
        for (Criterion criterion : Criterion.values()) {
            if (terms.runtime() > 0 && criterion.key().equals(terms.criterion())) {
                return new Usual(terms.runtime(), criterion);
            }
        }
        return null;
    }
}
