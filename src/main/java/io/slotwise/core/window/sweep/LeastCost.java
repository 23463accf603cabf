package io.slotwise.core.window.sweep;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest window; ties go to the earliest.
 *
 * <p>Within a segment of the pass the least cost is concave in the start, so it is lowest on the segment's first or
 * last second: both are evaluated. A tie inside a segment cannot begin earlier than on one of its ends unless the cost
 * is constant there, and then the first second has it too.
 *
 * <p>The pass ends as soon as no window can be cheaper: under price calendars the cheapest nodes at their cheapest
 * hours, which come again every day.
 *
 * <p>If only the cheapest nodes are searched, {@link #interval} returns the seconds at which others may be of use. At a
 * second with n free units of the cheapest nodes the cheapest window has its units there. At any other second it costs
 * no less than the k &lt; n free units and n - k more at the price of the next node.
 *
 * <p>Exact. O(m + U), see {@link SlotSweep}, with two evaluations a segment where prices move.
 *
 * <p>Source: the paper on AEP, section 2.2, minimum total execution cost.
 */
public final class LeastCost implements CriterionSearch {
    private static final Interval ALWAYS = new Interval(Long.MIN_VALUE, Interval.FOREVER);

    /** The least cost of a unit on nodes that are not searched, 1/3600 millionths. */
    private final long beyond;

    /** The segments with fewer than n units in which other nodes may be of use: first and last second, least cost. */
    private long[] few = new long[3 * 16];

    private int fewSize;
    private @Nullable Interval interval;

    public LeastCost() {
        this(Long.MAX_VALUE);
    }

    /**
     * Searches the cheapest nodes, whose prices do not move.
     *
     * @param beyond the least cost of a unit on another node at any second, no less than on any of these nodes, and on
     *     nodes of equal cost later by name; 1/3600 millionths
     */
    public LeastCost(long beyond) {
        this.beyond = beyond;
    }

    /** Returns the seconds outside of which no window on any nodes is better than the one found, or null. */
    public @Nullable Interval open() {
        return interval;
    }

    @Override
    public @Nullable UnitSelection best(SlotSearch search, Cost budget) {
        boolean knows = beyond < Long.MAX_VALUE;
        long least = Math.min(CriterionSearch.limit(budget), search.most());
        long start = Long.MAX_VALUE;
        SlotSweep sweep = search.sweep();
        long floor = Math.max(search.least(), sweep.least());
        while ((start == Long.MAX_VALUE || least > floor) && sweep.advance()) {
            if (!sweep.enough()) {
                if (knows) {
                    note(sweep, least);
                }
                continue;
            }
            long first = sweep.cheapest(sweep.from(), least);
            if (first < least || (first == least && start == Long.MAX_VALUE)) {
                least = first;
                start = sweep.from();
            }
            if (sweep.moves()) {
                long last = sweep.cheapest(sweep.to(), least);
                if (last < least || (last == least && start == Long.MAX_VALUE)) {
                    least = last;
                    start = sweep.to();
                }
            }
        }
        interval = knows ? opened(search.size() * beyond > least ? least : Long.MAX_VALUE) : ALWAYS;
        return start == Long.MAX_VALUE ? null : UnitSelection.cheapestAt(start);
    }

    private void note(SlotSweep sweep, long least) {
        long cost = sweep.atLeast(beyond);
        if (cost > least) {
            return;
        }
        if (fewSize == few.length) {
            few = Arrays.copyOf(few, 2 * fewSize);
        }
        few[fewSize++] = sweep.from();
        few[fewSize++] = sweep.to();
        few[fewSize++] = cost;
    }

    /** Returns the interval of the seconds at which a window may cost no more than {@code most}. */
    private @Nullable Interval opened(long most) {
        if (most == Long.MAX_VALUE) {
            return ALWAYS;
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < fewSize; i += 3) {
            if (few[i + 2] <= most) {
                first = Math.min(first, few[i]);
                last = Math.max(last, few[i + 1]);
            }
        }
        return first > last ? null : new Interval(first, last + 1);
    }
}
