package io.slotwise.core.window.units;

import java.util.Arrays;

/**
 * The n lowest of a changing multiset of units, and the sum of their keys: an order-statistic structure for one fixed
 * n.
 *
 * <p>The distinct keys are ranked once. A pointer is at the rank of the n-th lowest unit, and the sum and number of the
 * units below it are maintained. A change moves the pointer by one step for each unit that crosses it: O(1 + units
 * changed). Each step uses a hierarchy of bit sets, in O(log of the ranks to the base 64). Nothing is allocated after
 * the construction. Invariant: the units below the pointer are fewer than n, and those up to and including its rank are
 * at least n, or all.
 *
 * <p>Sums of keys must fit a long for n units.
 */
public final class LowestUnits {
    private final long[] keys;
    private final int n;
    private final int[] count;
    private final long[][] levels;

    private int pointer;
    private int below;
    private long sum;
    private long total;

    /** Creates a structure without units for these distinct, ascending keys. */
    public LowestUnits(long[] keys, int n) {
        this.keys = keys;
        this.n = n;
        this.count = new int[keys.length];
        int depth = 1;
        for (long bits = 64; bits < keys.length; bits <<= 6) {
            depth++;
        }
        this.levels = new long[depth][];
        int size = keys.length;
        for (int level = 0; level < depth; level++) {
            size = (size + 63) >>> 6;
            levels[level] = new long[Math.max(size, 1)];
        }
        this.pointer = keys.length;
    }

    int ranks() {
        return keys.length;
    }

    long key(int rank) {
        return keys[rank];
    }

    void clear() {
        Arrays.fill(count, 0);
        for (long[] level : levels) {
            Arrays.fill(level, 0);
        }
        pointer = keys.length;
        below = 0;
        sum = 0;
        total = 0;
    }

    /** Adds {@code units} (removes, if negative) with the key of this rank. */
    public void add(int rank, int units) {
        int before = count[rank];
        int after = before + units;
        count[rank] = after;
        total += units;
        if (before == 0) {
            mark(rank);
        } else if (after == 0) {
            unmark(rank);
        }
        if (rank < pointer) {
            below += units;
            sum += units * keys[rank];
        }
        settle();
    }

    private void settle() {
        while (below >= n) {
            pointer = previous(pointer);
            below -= count[pointer];
            sum -= count[pointer] * keys[pointer];
        }
        while (pointer < keys.length && below + count[pointer] < n) {
            below += count[pointer];
            sum += count[pointer] * keys[pointer];
            pointer = next(pointer);
        }
    }

    public long size() {
        return total;
    }

    /** Returns the sum of the n lowest keys, or of all if there are fewer units. */
    public long sum() {
        return below < n && pointer < keys.length ? sum + (n - below) * keys[pointer] : sum;
    }

    /** Returns the least sum of n units if there are others besides these. */
    long sumWith(long[] others, long[] keyOf, int[] order) {
        int rank = pointer;
        int here = pointer < keys.length ? n - below : 0;
        long taken = (long) below + here;
        long result = sum();
        for (int group : order) {
            long left = others[group];
            long key = keyOf[group];
            while (left > 0) {
                if (taken < n) {
                    long used = Math.min(left, n - taken);
                    result += used * key;
                    taken += used;
                    left -= used;
                    continue;
                }
                while (here == 0 && rank > 0) {
                    rank = previous(rank);
                    here = rank < 0 ? 0 : count[rank];
                    if (rank < 0) {
                        return result;
                    }
                }
                if (here == 0 || keys[rank] <= key) {
                    return result;
                }
                long used = Math.min(left, here);
                result += used * (key - keys[rank]);
                here -= (int) used;
                left -= used;
            }
        }
        return taken < n ? Long.MAX_VALUE : result;
    }

    private void mark(int rank) {
        int at = rank;
        for (long[] level : levels) {
            level[at >>> 6] |= 1L << at;
            at >>>= 6;
        }
    }

    private void unmark(int rank) {
        int at = rank;
        for (long[] level : levels) {
            level[at >>> 6] &= ~(1L << at);
            if (level[at >>> 6] != 0) {
                return;
            }
            at >>>= 6;
        }
    }

    private int next(int rank) {
        int at = rank + 1;
        for (int level = 0; level < levels.length; level++) {
            int word = at >>> 6;
            if (word >= levels[level].length) {
                return keys.length;
            }
            long bits = levels[level][word] & (-1L << at);
            if (bits != 0) {
                at = (word << 6) + Long.numberOfTrailingZeros(bits);
                while (level > 0) {
                    level--;
                    at = (at << 6) + Long.numberOfTrailingZeros(levels[level][at]);
                }
                return at;
            }
            at = word + 1;
        }
        return keys.length;
    }

    private int previous(int rank) {
        int at = rank - 1;
        for (int level = 0; level < levels.length && at >= 0; level++) {
            int word = at >>> 6;
            long bits = levels[level][word] & (-1L >>> (63 - (at & 63)));
            if (bits != 0) {
                at = (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
                while (level > 0) {
                    level--;
                    at = (at << 6) + 63 - Long.numberOfLeadingZeros(levels[level][at]);
                }
                return at;
            }
            at = word - 1;
        }
        return -1;
    }

    /** Returns the distinct values, ascending. */
    public static long[] distinct(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = 0;
        for (long value : sorted) {
            if (n == 0 || value != sorted[n - 1]) {
                sorted[n++] = value;
            }
        }
        return Arrays.copyOf(sorted, n);
    }
}
