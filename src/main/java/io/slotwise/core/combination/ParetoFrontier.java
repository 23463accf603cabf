package io.slotwise.core.combination;

import java.util.Arrays;

/**
 * The filter for beaten totals of one list. Totals come by ascending weight. A total is admitted unless an earlier
 * admitted one is no worse in value and in every account.
 */
sealed interface ParetoFrontier {
    /** Returns whether the total is not beaten, and stores it in that case. */
    boolean admits(long value, long[] charges);

    static ParetoFrontier of(int accounts) {
        return switch (accounts) {
            case 0 -> new Line();
            case 1 -> new Staircase();
            default -> new Recent();
        };
    }

    /** No account: the least value so far. O(1). */
    final class Line implements ParetoFrontier {
        private long least;
        private boolean any;

        @Override
        public boolean admits(long value, long[] charges) {
            if (any && value >= least) {
                return false;
            }
            any = true;
            least = value;
            return true;
        }
    }

    /**
     * The frontier for a single account: charges ascending, values descending. O(log n) to check, at worst O(n) to
     * store. A full staircase stores no more. A beaten total may then stay, which costs time, never the optimum.
     */
    final class Staircase implements ParetoFrontier {
        private static final int REMEMBERED = 8192;

        private final long[] charge = new long[REMEMBERED];
        private final long[] value = new long[REMEMBERED];
        private int size;

        @Override
        public boolean admits(long newValue, long[] charges) {
            int found = Arrays.binarySearch(charge, 0, size, charges[0]);
            int at = found >= 0 ? found : -found - 1;
            int below = found >= 0 ? found : at - 1;
            if (below >= 0 && value[below] <= newValue) {
                return false;
            }
            int after = at;
            while (after < size && value[after] >= newValue) {
                after++;
            }
            if (size + at + 1 - after <= REMEMBERED) {
                insert(at, after, charges[0], newValue);
            }
            return true;
        }

        private void insert(int at, int after, long newCharge, long newValue) {
            System.arraycopy(charge, after, charge, at + 1, size - after);
            System.arraycopy(value, after, value, at + 1, size - after);
            charge[at] = newCharge;
            value[at] = newValue;
            size += at + 1 - after;
        }
    }

    /** Several accounts: compares with the last admitted totals, O(1) for a total. A beaten one may stay. */
    final class Recent implements ParetoFrontier {
        private static final int REMEMBERED = 256;

        private final long[] value = new long[REMEMBERED];
        private final long[][] charge = new long[REMEMBERED][];
        private int admitted;

        @Override
        public boolean admits(long newValue, long[] charges) {
            for (int i = 0; i < Math.min(admitted, REMEMBERED); i++) {
                if (value[i] <= newValue && noMore(charge[i], charges)) {
                    return false;
                }
            }
            value[admitted % REMEMBERED] = newValue;
            charge[admitted % REMEMBERED] = charges.clone();
            admitted++;
            return true;
        }

        private static boolean noMore(long[] some, long[] others) {
            for (int a = 0; a < some.length; a++) {
                if (some[a] > others[a]) {
                    return false;
                }
            }
            return true;
        }
    }
}
