package io.slotwise.kubernetes.manifest.gang;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Money;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.TimeValues;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What counts for a gang that does not state it.
 *
 * @param runtime on the reference node, seconds
 * @param timeValues the most that it may say an hour is worth; what it is worth without that is always possible
 */
@RecordBuilder
public record GangDefaults(long runtime, Criterion criterion, TimeValues values, TimeValues timeValues)
        implements GangDefaultsBuilder.With {
    /** What an hour is worth to a gang that does not say it, and the most that it may say. */
    public record Hour(Money money, Money maxMoney) {}

    /** What an hour is worth to gangs of this namespace with pods of these PriorityClasses. */
    public Hour hour(String namespace, Collection<String> classes) {
        Money money = values.of(namespace, classes);
        Money maxMoney = timeValues.of(namespace, classes);
        return new Hour(money, maxMoney.compareTo(money) < 0 ? money : maxMoney);
    }

    /** The same in a namespace that may spend no more than this: an hour of its gangs is worth no more either. */
    public GangDefaults within(Money budget) {
        return withTimeValues(timeValues.atMost(budget));
    }

    public static GangDefaults of(LoopSettings settings) {
        return new GangDefaults(
                settings.defaultRuntime(), settings.defaultCriterion(), settings.timeValues(), settings.timeLimits());
    }

    /** What a gang's record says; null if it is older than these figures. */
    public static @Nullable GangDefaults of(RecordedTerms terms) {
        RecordedTerms.Worth worth = terms.worth();
        TimeValues values = TimeValues.always(worth == null ? Money.ZERO : worth.hour());
        return terms.runtime() <= 0
                ? null
                : Criterion.of(terms.criterion())
                        .map(criterion -> new GangDefaults(terms.runtime(), criterion, values, TimeValues.NO_LIMIT))
                        .orElse(null);
    }
}
