package io.slotwise.lab.simulation.planned;

import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.money.Cost;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What users have used, by the day on which it began, as the ledgers of a cluster keep it. */
final class UserSpending {
    private final Map<String, SortedMap<Long, Charge>> days = new HashMap<>();

    /** A gang that started at second {@code start} has ended. */
    void ran(String user, long start, Charge charge) {
        days.computeIfAbsent(user, name -> new TreeMap<>())
                .merge(Math.floorDiv(start, Period.DAY_SECONDS), charge, Charge::plus);
    }

    /** What that still weighs. O(users * days kept). */
    Map<String, Cost> left(HalfLife halfLife, long now, UseUnit unit) {
        long first = Math.floorDiv(now, Period.DAY_SECONDS) - Ledger.DAYS_KEPT;
        Map<String, Cost> left = new HashMap<>();
        days.forEach((user, paid) -> {
            paid.headMap(first).clear();
            SortedMap<Long, Cost> used = new TreeMap<>();
            paid.forEach((day, charge) -> used.put(day, unit.of(charge)));
            left.put(user, halfLife.left(used, now));
        });
        return left;
    }
}
