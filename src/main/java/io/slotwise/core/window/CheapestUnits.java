package io.slotwise.core.window;

import java.util.Arrays;

/**
 * An order-statistic structure: how many units there are at each cost, and what the cheapest ones cost together. A Fenwick
 * tree over the distinct costs in ascending order, one for the counts and one for the sums; every operation is O(log costs)
 * and allocates nothing. Sums of more units than are asked for may wrap around; the answers do not.
 */
final class CheapestUnits {
    private final long[] costs;
    private final long[] count;
    private final long[] sum;
    private final int top;

    /** No units yet. The costs are distinct and ascending. */
    CheapestUnits(long[] costs) {
        this.costs = costs;
        this.count = new long[costs.length + 1];
        this.sum = new long[costs.length + 1];
        this.top = Integer.highestOneBit(costs.length);
    }

    /** Adds {@code units} (negative: takes them away) at the cost with this rank. */
    void add(int rank, int units) {
        long worth = units * costs[rank];
        for (int i = rank + 1; i < count.length; i += i & -i) {
            count[i] += units;
            sum[i] += worth;
        }
    }

    /** What the {@code n} cheapest units cost; there must be as many. */
    long cheapest(long n) {
        int position = 0;
        long left = n;
        long total = 0;
        for (int step = top; step > 0; step >>= 1) {
            int next = position + step;
            if (next < count.length && count[next] <= left) {
                position = next;
                left -= count[next];
                total += sum[next];
            }
        }
        return left == 0 ? total : total + left * costs[position];
    }

    /** How many units cost at most {@code cost}. */
    long countUpTo(long cost) {
        int position = Arrays.binarySearch(costs, cost);
        int i = position >= 0 ? position + 1 : -position - 1;
        long total = 0;
        for (; i > 0; i -= i & -i) {
            total += count[i];
        }
        return total;
    }
}
