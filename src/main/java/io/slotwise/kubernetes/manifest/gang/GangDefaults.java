package io.slotwise.kubernetes.manifest.gang;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Money;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.TimeValues;
import org.jspecify.annotations.Nullable;

/**
 * What counts for a gang that does not state it.
 *
 * @param runtime on the reference node, seconds
 * @param criterion what it wants to be least
 * @param values what an hour is worth to it
 */
public record GangDefaults(long runtime, Criterion criterion, TimeValues values) {
    /** What the policy says. */
    public static GangDefaults of(LoopSettings settings) {
        return new GangDefaults(settings.defaultRuntime(), settings.defaultCriterion(), settings.timeValues());
    }

    /** The same with another runtime. */
    GangDefaults lasting(long seconds) {
        return new GangDefaults(seconds, criterion, values);
    }

    /** What a gang's record says; null if it is older than these figures. */
    public static @Nullable GangDefaults of(RecordedTerms terms) {
        RecordedTerms.Worth worth = terms.worth();
        TimeValues values = TimeValues.always(worth == null ? Money.ZERO : worth.hour());
        return terms.runtime() <= 0
                ? null
                : Criterion.of(terms.criterion())
                        .map(criterion -> new GangDefaults(terms.runtime(), criterion, values))
                        .orElse(null);
    }
}
