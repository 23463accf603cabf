package io.slotwise.core.ledger;

import java.time.LocalDate;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The charges of a ledger by day while it changes, of all gangs and of those in each queue. */
final class DaySums {
    /** The most characters of a day's sum in the ledger's object. */
    private static final int SIZE = 260;

    /** The most characters of a queue's sums in the ledger's object without the days. */
    private static final int NAME_SIZE = 280;

    /** The days before today whose sums are kept apart: those of the present week, and of windows a day ago. */
    private static final long DAYS_APART = 8;

    private static final int DAYS_OF_A_WEEK = 7;

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

    /**
     * Removes the days that are not kept. Days of queues that are over for more than a week become a part of the day 1,
     * 8, 15, 22 or 29 of their month before them. The budget of the month counts them, and they fade a few days early.
     */
    void forget(long today) {
        days.headMap(today - Ledger.DAYS_KEPT).clear();
        for (SortedMap<Long, Charge> sums : queueDays.values()) {
            SortedMap<Long, Charge> past = sums.headMap(today - DAYS_APART);
            SortedMap<Long, Charge> weeks = new TreeMap<>();
            past.forEach((day, charge) -> weeks.merge(
                    day - (LocalDate.ofEpochDay(day).getDayOfMonth() - 1) % DAYS_OF_A_WEEK, charge, Charge::plus));
            past.clear();
            sums.putAll(weeks);
            sums.headMap(today - Ledger.QUEUE_DAYS_KEPT).clear();
        }
        queueDays.values().removeIf(Map::isEmpty);
    }

    /** Returns the most characters of the sums of queues in the ledger's object. */
    static int size(SortedMap<String, SortedMap<Long, Charge>> queueDays) {
        return queueDays.values().stream()
                .mapToInt(sums -> NAME_SIZE + sums.size() * SIZE)
                .sum();
    }

    /** Returns the most characters that the charge of a run adds to the sums of its queue, which is null for none. */
    static int size(SortedMap<String, SortedMap<Long, Charge>> queueDays, @Nullable String queue, Set<Long> charged) {
        if (queue == null || charged.isEmpty()) {
            return 0;
        }
        SortedMap<Long, Charge> sums = queueDays.getOrDefault(queue, Collections.emptySortedMap());
        long more = charged.stream().filter(day -> !sums.containsKey(day)).count();
        return (sums.isEmpty() ? NAME_SIZE : 0) + (int) more * SIZE;
    }
}
