package io.slotwise.core.ledger;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The charges of a ledger by day while it changes, of all gangs and of those in each queue. */
final class DaySums {
    /** The most characters of a day's sum in the ledger's object. */
    static final int SIZE = 260;

    /** The most characters of a queue's sums in the ledger's object without the days. */
    static final int NAME_SIZE = 280;

    private final SortedMap<Long, Charge> days;
    private final SortedMap<String, SortedMap<Long, Charge>> queueDays = new TreeMap<>();

    DaySums(Ledger ledger) {
        this.days = new TreeMap<>(ledger.days());
        ledger.queueDays().forEach((queue, sums) -> queueDays.put(queue, new TreeMap<>(sums)));
    }

    SortedMap<Long, Charge> days() {
        return days;
    }

    SortedMap<String, SortedMap<Long, Charge>> queueDays() {
        return queueDays;
    }

    /** Adds a charge of a gang in a queue, or in none if it is null. */
    void add(@Nullable String queue, long day, Charge charge) {
        days.merge(day, charge, Charge::plus);
        if (queue != null) {
            queueDays.computeIfAbsent(queue, _ -> new TreeMap<>()).merge(day, charge, Charge::plus);
        }
    }

    /** Removes the days that are not kept. */
    void forget(long today) {
        days.headMap(today - Ledger.DAYS_KEPT).clear();
        queueDays
                .values()
                .forEach(sums -> sums.headMap(today - Ledger.QUEUE_DAYS_KEPT).clear());
        queueDays.values().removeIf(Map::isEmpty);
    }
}
