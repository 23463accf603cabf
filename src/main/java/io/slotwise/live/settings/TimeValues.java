package io.slotwise.live.settings;

import io.slotwise.core.money.Money;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/**
 * What an hour is worth to gangs that do not say it, currency units. The PriorityClass of a gang's pods counts before
 * its namespace, and that before the default.
 *
 * @param usual of gangs that neither of the others is about
 * @param priorityClasses by the name of a PriorityClass
 * @param namespaces by the name of a namespace
 */
public record TimeValues(Money usual, Map<String, Money> priorityClasses, Map<String, Money> namespaces) {
    /** Time is worth nothing to gangs that do not say otherwise. */
    public static final TimeValues NONE = always(Money.ZERO);

    public TimeValues {
        priorityClasses = Map.copyOf(priorityClasses);
        namespaces = Map.copyOf(namespaces);
    }

    /** The same for all gangs. */
    public static TimeValues always(Money hour) {
        return new TimeValues(hour, Map.of(), Map.of());
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
                .orElse(namespaces.getOrDefault(namespace, usual));
    }
}
