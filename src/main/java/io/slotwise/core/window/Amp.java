package io.slotwise.core.window;

import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotList;
import java.util.OptionalLong;

/**
 * AMP (algorithm based on the maximal job price): the earliest start of a window whose total cost stays within the budget.
 *
 * <p>The pass stops in the first segment that holds such a window. If the segment's first second is over the budget and its
 * last one is not, the affordable seconds are a suffix of the segment, since the least cost is concave there, and bisection
 * finds its first second.
 *
 * <p>Exact. O(m log m) for m changes of the slots with flat prices, plus O(log segment) evaluations once.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 2.2, minimising the start time. The paper takes the first n
 * slots that fit the budget; here the n cheapest are taken, which is what makes the start the earliest one.
 */
final class Amp implements StartSearch {
    @Override
    public OptionalLong best(SlotList slots, int size, Cost budget) {
        long limit = budget.microSecondsPerHour();
        Sweep sweep = new Sweep(slots, size);
        while (sweep.advance()) {
            if (!sweep.enough()) {
                continue;
            }
            if (sweep.cheapest(sweep.from()) <= limit) {
                return OptionalLong.of(sweep.from());
            }
            if (sweep.moving() && sweep.cheapest(sweep.to()) <= limit) {
                return OptionalLong.of(firstAffordable(sweep, limit));
            }
        }
        return OptionalLong.empty();
    }

    /** Bisection between a second that is over the limit and a later one within it. */
    private static long firstAffordable(Sweep sweep, long limit) {
        long over = sweep.from();
        long within = sweep.to();
        while (within - over > 1) {
            long middle = over + (within - over) / 2;
            if (sweep.cheapest(middle) <= limit) {
                within = middle;
            } else {
                over = middle;
            }
        }
        return within;
    }
}
