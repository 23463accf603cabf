package io.slotwise.live.settings;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What an hour is worth to gangs that do not say it, or the most that it may be worth to those that do, currency
 * units. The PriorityClass of a gang's pods counts before its namespace, and that before the default.
 *
 * @param money of gangs that neither of the others is about
 * @param priorityClasses by the name of a PriorityClass
 * @param namespaces by the name of a namespace
 */
public record TimeValues(Money money, Map<String, Money> priorityClasses, Map<String, Money> namespaces) {
    /** Time is worth nothing to gangs that do not say otherwise. */
    public static final TimeValues NONE = always(Money.ZERO);

    public TimeValues {
        priorityClasses = Map.copyOf(priorityClasses);
        namespaces = Map.copyOf(namespaces);
    }

    /** Gangs may say what {@link ValueOfTime} can count. */
    public static final TimeValues NO_LIMIT = always(ValueOfTime.MOST);

    /** The same for all gangs. */
    public static TimeValues always(Money hour) {
        return new TimeValues(hour, Map.of(), Map.of());
    }

    /** The same, and none of them above an amount. */
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

    /**
     * What counts for a gang of this namespace with pods of these PriorityClasses: the most of theirs where they
     * differ.
     */
    public Money of(String namespace, Collection<String> classes) {
        return classes.stream()
                .map(priorityClasses::get)
                .filter(Objects::nonNull)
                .max(Money::compareTo)
                .orElse(namespaces.getOrDefault(namespace, money));
    }
}
