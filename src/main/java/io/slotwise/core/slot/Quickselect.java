package io.slotwise.core.slot;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Selects the smallest of many numbers, up to a count or a weight, without sorting them all.
 *
 * <p>O(N) for N numbers on average. After as many bad pivots as N has bits the rest is sorted, so O(N log N) at worst.
 * Source: C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4(7), 1961; D. Musser, "Introspective Sorting
 * and Selection Algorithms", Software: Practice and Experience 27(8), 1997.
 */
public final class Quickselect {
    private Quickselect() {}

    /** Moves the k smallest numbers, at least one, to the front, in any order, and returns the largest of them. */
    public static long smallest(long[] values, int k) {
        return smallest(values, null, values.length, k);
    }

    /**
     * Returns the largest of the smallest numbers that together have at least a weight, of the first {@code count}. The
     * smallest are moved to the front, and their weights with them. Precondition: all together have that weight, which
     * is positive.
     *
     * @param weights of the numbers, or null if each has the weight one
     */
    public static long smallest(long[] values, int @Nullable [] weights, int count, long weight) {
        int low = 0;
        int high = count - 1;
        long left = weight;
        int tries = Integer.SIZE - Integer.numberOfLeadingZeros(count);
        while (low < high) {
            if (tries-- == 0) {
                sort(values, weights, low, high + 1);
                while (left > weight(weights, low, low)) {
                    left -= weight(weights, low, low);
                    low++;
                }
                return values[low];
            }
            long pivot = median(values[low], values[(low + high) >>> 1], values[high]);
            int i = low;
            int j = high;
            while (i <= j) {
                while (values[i] < pivot) {
                    i++;
                }
                while (values[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    swap(values, weights, i++, j--);
                }
            }
            long lower = weight(weights, low, j);
            long middle = weight(weights, j + 1, i - 1);
            if (left <= lower) {
                high = j;
            } else if (left <= lower + middle) {
                return pivot;
            } else {
                left -= lower + middle;
                low = i;
            }
        }
        return values[low];
    }

    private static void sort(long[] values, int @Nullable [] weights, int from, int to) {
        if (weights == null) {
            Arrays.sort(values, from, to);
            return;
        }
        record Weighted(long value, int weight) {}
        Weighted[] sorted = new Weighted[to - from];
        Arrays.setAll(sorted, i -> new Weighted(values[from + i], weights[from + i]));
        Arrays.sort(sorted, Comparator.comparingLong(Weighted::value).thenComparingInt(Weighted::weight));
        for (int i = from; i < to; i++) {
            values[i] = sorted[i - from].value;
            weights[i] = sorted[i - from].weight;
        }
    }

    private static void swap(long[] values, int @Nullable [] weights, int i, int j) {
        long value = values[i];
        values[i] = values[j];
        values[j] = value;
        if (weights != null) {
            int weight = weights[i];
            weights[i] = weights[j];
            weights[j] = weight;
        }
    }

    private static long weight(int @Nullable [] weights, int first, int last) {
        if (weights == null) {
            return last - first + 1L;
        }
        long weight = 0;
        for (int i = first; i <= last; i++) {
            weight += weights[i];
        }
        return weight;
    }

    private static long median(long a, long b, long c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }
}
