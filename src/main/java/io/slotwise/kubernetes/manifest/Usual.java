package io.slotwise.kubernetes.manifest;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Money;
import io.slotwise.live.Settings;
import io.slotwise.live.Terms;
import io.slotwise.live.TimeValues;
import org.jspecify.annotations.Nullable;

/**
 * What counts for a gang that does not state it.
 *
 * @param runtime on the reference node, seconds
 * @param criterion what it wants to be least
 * @param values what an hour is worth to it
 */
public record Usual(long runtime, Criterion criterion, TimeValues values) {
    /** What the policy says. */
    static Usual of(Settings settings) {
        return new Usual(settings.defaultRuntime(), settings.defaultCriterion(), settings.timeValues());
    }

    /** The same with another runtime. */
    Usual lasting(long seconds) {
        return new Usual(seconds, criterion, values);
    }

    /** What a gang's record says; null if it is older than these figures. */
    public static @Nullable Usual of(Terms terms) {
        Terms.Worth worth = terms.worth();
        TimeValues values = TimeValues.always(worth == null ? Money.ZERO : worth.hour());
        return terms.runtime() <= 0
                ? null
                : Criterion.of(terms.criterion())
                        .map(criterion -> new Usual(terms.runtime(), criterion, values))
                        .orElse(null);
    }
}
