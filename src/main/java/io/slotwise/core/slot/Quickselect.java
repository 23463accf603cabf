package io.slotwise.core.slot;

import java.util.Arrays;

/**
 * Selects the k smallest of many numbers, without sorting them all.
 *
 * <p>O(N) for N numbers on average. After as many bad pivots as N has bits the rest is sorted, so O(N log N) at worst.
 * Source: C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4(7), 1961; D. Musser, "Introspective Sorting
 * and Selection Algorithms", Software: Practice and Experience 27(8), 1997.
 */
public final class Quickselect {
    private Quickselect() {}

    /** Moves the k smallest numbers, at least one, to the front, in any order, and returns the largest of them. */
    public static long smallest(long[] values, int k) {
        int low = 0;
        int high = values.length - 1;
        int tries = Integer.SIZE - Integer.numberOfLeadingZeros(values.length);
        while (low < high) {
            if (tries-- == 0) {
                Arrays.sort(values, low, high + 1);
                break;
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
                    long swapped = values[i];
                    values[i++] = values[j];
                    values[j--] = swapped;
                }
            }
            if (k - 1 <= j) {
                high = j;
            } else if (k - 1 >= i) {
                low = i;
            } else {
                break;
            }
        }
        return values[k - 1];
    }

    private static long median(long a, long b, long c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }
}
