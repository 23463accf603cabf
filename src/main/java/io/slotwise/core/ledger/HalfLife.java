package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import java.math.BigInteger;
import java.util.Map;
import java.util.SortedMap;

/** What past use still weighs: half after each half-life, in seconds, and linearly less between; exact in integers. */
public record HalfLife(long seconds) {
    public HalfLife {
        if (seconds <= 0) {
            throw new IllegalArgumentException("The half-life (%d s) must be positive.".formatted(seconds));
        }
    }

    /** What is left of the use of days, by days since the epoch: all of it until the day is over. O(days). */
    public Cost left(SortedMap<Long, Cost> days, long now) {
        Cost left = Cost.ZERO;
        for (Map.Entry<Long, Cost> entry : days.entrySet()) {
            left = left.plus(left(entry.getValue(), now - (entry.getKey() + 1) * Period.DAY_SECONDS));
        }
        return left;
    }

    /** What is left of a use, rounded up to the unit of cost, after so many seconds; all of it before its end. */
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
