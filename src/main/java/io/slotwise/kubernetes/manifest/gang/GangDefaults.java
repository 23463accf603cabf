package io.slotwise.kubernetes.manifest.gang;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.money.Money;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.TimeValues;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The values that apply where a gang states nothing.
 *
 * @param runtime on the reference node, seconds
 * @param timeValues the most that a gang may state as the value of an hour; the default value is always allowed
 * @param topology the levels at which gangs run near each other
 */
@RecordBuilder
public record GangDefaults(
        long runtime, Criterion criterion, TimeValues values, TimeValues timeValues, TopologyLevels topology)
        implements GangDefaultsBuilder.With {
    public record Hour(Money money, Money maxMoney) {}

    /** Returns the values of an hour for gangs of a namespace with pods of these PriorityClasses. */
    public Hour hour(String namespace, Collection<String> classes) {
        Money money = values.of(namespace, classes);
        Money maxMoney = timeValues.of(namespace, classes);
        return new Hour(money, maxMoney.compareTo(money) < 0 ? money : maxMoney);
    }

    /** Returns the defaults for a namespace with this budget, which also limits the value of an hour. */
    public GangDefaults within(Money budget) {
        return withTimeValues(timeValues.atMost(budget));
    }

    public static GangDefaults of(LoopSettings settings) {
        return new GangDefaults(
                settings.defaultRuntime(),
                settings.defaultCriterion(),
                settings.timeValues(),
                settings.timeLimits(),
                settings.topology());
    }

    /** Returns the defaults in a gang's record, without levels of a topology. Null if the record lacks them. */
    public static @Nullable GangDefaults of(RecordedTerms terms) {
        RecordedTerms.Worth worth = terms.worth();
        TimeValues values = TimeValues.always(worth == null ? Money.ZERO : worth.hour());
        return terms.runtime() <= 0
                ? null
                : Criterion.of(terms.criterion())
                        .map(criterion -> new GangDefaults(
                                terms.runtime(), criterion, values, TimeValues.NO_LIMIT, TopologyLevels.NONE))
                        .orElse(null);
    }
}
