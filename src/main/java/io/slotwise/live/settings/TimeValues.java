package io.slotwise.live.settings;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The value of an hour for gangs that state none, or the highest one that gangs may state, in currency units. The
 * PriorityClass of a gang's pods takes precedence over its namespace, and the namespace over the default.
 *
 * @param money the default
 */
public record TimeValues(Money money, Map<String, Money> priorityClasses, Map<String, Money> namespaces) {
    /** Time has no value by default. */
    public static final TimeValues NONE = always(Money.ZERO);

    public TimeValues {
        priorityClasses = Map.copyOf(priorityClasses);
        namespaces = Map.copyOf(namespaces);
    }

    /** The highest value that {@link ValueOfTime} can represent. */
    public static final TimeValues NO_LIMIT = always(ValueOfTime.MOST);

    public static TimeValues always(Money hour) {
        return new TimeValues(hour, Map.of(), Map.of());
    }

    /** Returns the same values, limited to an amount. */
    public TimeValues atMost(Money maxMoney) {
        Map<String, Money> classes = new HashMap<>(priorityClasses);
        Map<String, Money> names = new HashMap<>(namespaces);
        classes.replaceAll((_, hour) -> least(hour, maxMoney));
        names.replaceAll((_, hour) -> least(hour, maxMoney));
        return new TimeValues(least(money, maxMoney), classes, names);
    }

    private static Money least(Money money, Money other) {
        return money.compareTo(other) < 0 ? money : other;
    }

    /** Returns the value for a gang: the highest one if its PriorityClasses differ. */
    public Money of(String namespace, Collection<String> classes) {
        return classes.stream()
                .map(priorityClasses::get)
                .filter(Objects::nonNull)
                .max(Money::compareTo)
                .orElse(namespaces.getOrDefault(namespace, money));
    }
}
