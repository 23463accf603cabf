package io.slotwise.core.slot;

import java.util.Arrays;

/**
 * Selects the smallest of many numbers, as many of them or as much of their weight as is asked for, without sorting them
 * all.
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

    /**
     * Returns the largest of the smallest numbers that together have at least a weight, of the first {@code count}. The
     * numbers are moved, and their weights with them. Precondition: all together have that weight, which is positive.
     */
    public static long smallest(long[] values, int[] weights, int count, long weight) {
        int low = 0;
        int high = count - 1;
        long left = weight;
        while (low < high) {
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

    private static void swap(long[] values, int[] weights, int i, int j) {
        long value = values[i];
        values[i] = values[j];
        values[j] = value;
        int weight = weights[i];
        weights[i] = weights[j];
        weights[j] = weight;
    }

    private static long weight(int[] weights, int first, int last) {
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
