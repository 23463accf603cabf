package io.slotwise.simulation.planned;

import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What users have paid, by the day on which it began, as the ledgers of a cluster keep it. */
final class UserSpending {
    private final Map<String, SortedMap<Long, Cost>> days = new HashMap<>();

    /** A gang that started at second {@code start} has ended. */
    void paid(String user, long start, Cost cost) {
        days.computeIfAbsent(user, name -> new TreeMap<>())
                .merge(Math.floorDiv(start, Period.DAY_SECONDS), cost, Cost::plus);
    }

    /** What that still weighs. O(users * days kept). */
    Map<String, Cost> left(HalfLife halfLife, long now) {
        long first = Math.floorDiv(now, Period.DAY_SECONDS) - Ledger.DAYS_KEPT;
        Map<String, Cost> left = new HashMap<>();
        days.forEach((user, paid) -> {
            paid.headMap(first).clear();
            left.put(user, halfLife.left(paid, now));
        });
        return left;
    }
}
