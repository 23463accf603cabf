package io.slotwise.core.combination;

import java.util.Arrays;

/**
 * The totals of the folded groups that no other total beats, by ascending weight, then value. Primitive columns hold
 * weight, value, charges to the open accounts, the bound of the whole batch, and the origin of each total.
 */
final class ParetoList {
    final int accounts;
    long[] weight = new long[64];
    long[] value = new long[64];
    long[] bound = new long[64];
    long[][] charge;
    int[] from = new int[64];
    int[] entry = new int[64];
    int size;

    ParetoList(int accounts) {
        this.accounts = accounts;
        this.charge = new long[accounts][64];
    }

    static ParetoList ofNothing() {
        ParetoList list = new ParetoList(0);
        list.size = 1;
        return list;
    }

    /** Returns the charge of a total to an account, 0 before the account's block. */
    long charged(int account, int index) {
        return accounts == 0 ? 0 : charge[account][index];
    }

    void add(MergedItems merged, long[] charges, long newBound) {
        if (size == weight.length) {
            grow(2 * size);
        }
        weight[size] = merged.weight();
        value[size] = merged.value();
        bound[size] = newBound;
        for (int a = 0; a < accounts; a++) {
            charge[a][size] = charges[a];
        }
        from[size] = merged.total();
        entry[size] = merged.item();
        size++;
    }

    private void grow(int room) {
        weight = Arrays.copyOf(weight, room);
        value = Arrays.copyOf(value, room);
        bound = Arrays.copyOf(bound, room);
        from = Arrays.copyOf(from, room);
        entry = Arrays.copyOf(entry, room);
        for (int a = 0; a < accounts; a++) {
            charge[a] = Arrays.copyOf(charge[a], room);
        }
    }

    private void move(int source, int target) {
        weight[target] = weight[source];
        value[target] = value[source];
        bound[target] = bound[source];
        from[target] = from[source];
        entry[target] = entry[source];
        for (int a = 0; a < accounts; a++) {
            charge[a][target] = charge[a][source];
        }
    }

    /** Returns the indices of at most {@code count} totals with the least bounds. O(size count). */
    int[] leastBounds(int count) {
        int[] least = new int[Math.min(count, size)];
        int found = 0;
        for (int i = 0; i < size; i++) {
            int at = found < least.length ? found++ : least.length;
            while (at > 0 && bound[i] < bound[least[at - 1]]) {
                if (at < least.length) {
                    least[at] = least[at - 1];
                }
                at--;
            }
            if (at < least.length) {
                least[at] = i;
            }
        }
        return least;
    }

    void prune(long best) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (bound[i] < best) {
                move(i, kept++);
            }
        }
        size = kept;
    }

    /**
     * Keeps the total with the least bound of each run of neighbours, so that at most {@code most} stay.
     *
     * @return the least bound of the dropped totals, or {@link Long#MAX_VALUE}
     */
    long thin(int most) {
        if (size <= most) {
            return Long.MAX_VALUE;
        }
        int run = Math.ceilDiv(size, most);
        long lost = Long.MAX_VALUE;
        int kept = 0;
        for (int begin = 0; begin < size; begin += run) {
            int best = begin;
            for (int i = begin + 1; i < Math.min(begin + run, size); i++) {
                if (bound[i] < bound[best]) {
                    lost = Math.min(lost, bound[best]);
                    best = i;
                } else {
                    lost = Math.min(lost, bound[i]);
                }
            }
            move(best, kept++);
        }
        size = kept;
        return lost;
    }

    /**
     * Keeps the first and the last total, and others evenly between them, {@code most} in all, at least 2.
     *
     * @return an upper bound of how much heavier the next kept total is than a dropped one
     */
    long spread(int most) {
        long widest = 0;
        int before = -1;
        for (int kept = 0; kept < most; kept++) {
            int next = (int) ((long) kept * (size - 1) / (most - 1));
            if (next > before + 1) {
                widest = Math.max(widest, weight[next] - weight[before + 1]);
            }
            before = next;
            move(next, kept);
        }
        size = most;
        return widest;
    }

    /** Keeps only what leads back to the choice. */
    void seal() {
        from = Arrays.copyOf(from, size);
        entry = Arrays.copyOf(entry, size);
        weight = new long[0];
        value = new long[0];
        bound = new long[0];
        charge = new long[accounts][0];
    }
}
