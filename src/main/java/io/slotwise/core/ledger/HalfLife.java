package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import java.math.BigInteger;
import java.util.Map;
import java.util.SortedMap;

/** The weight of past use, exact in integers: half after each half-life, in seconds, and linear in between. */
public record HalfLife(long seconds) {
    public HalfLife {
        if (seconds <= 0) {
            throw new IllegalArgumentException("The half-life (%d s) must be positive.".formatted(seconds));
        }
    }

    /** Returns the weighted use of days, by days since the epoch. A day counts fully until it is over. O(days). */
    public Cost left(SortedMap<Long, Cost> days, long now) {
        Cost left = Cost.ZERO;
        for (Map.Entry<Long, Cost> entry : days.entrySet()) {
            left = left.plus(left(entry.getValue(), now - (entry.getKey() + 1) * Period.DAY_SECONDS));
        }
        return left;
    }

    /**
     * Returns the weighted use after {@code age} seconds, rounded up to the unit of cost. A negative age counts fully.
     */
    public Cost left(Cost usedCost, long age) {
        long halvings = Math.max(0, age) / seconds;
        if (halvings >= usedCost.exact().bitLength()) {
            return Cost.ZERO;
        }
        BigInteger whole = usedCost.exact().shiftRight((int) halvings);
        BigInteger part = BigInteger.valueOf(Math.max(0, age) % seconds);
        return Cost.of(whole.subtract(
                whole.multiply(part).divide(BigInteger.valueOf(seconds).shiftLeft(1))));
    }
}
