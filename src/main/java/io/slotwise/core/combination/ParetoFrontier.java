package io.slotwise.core.combination;

import java.util.Arrays;

/**
 * Which totals of one list are beaten: asked in the order of ascending weight, it admits a total unless one that it
 * admitted before is no worse in value and in every account.
 */
sealed interface ParetoFrontier {
    /** Whether the total is not beaten; then it is remembered. */
    boolean admits(long value, long[] charges);

    /** The frontier of totals that are charged to so many accounts. */
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
     * One account: charges ascending, values descending. O(log n) to ask, at worst O(n) to remember; a staircase that
     * is full remembers no more. A beaten total may then stay; that costs time, never the optimum.
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

        /** Replaces the steps in [at, after) by one. */
        private void insert(int at, int after, long newCharge, long newValue) {
            System.arraycopy(charge, after, charge, at + 1, size - after);
            System.arraycopy(value, after, value, at + 1, size - after);
            charge[at] = newCharge;
            value[at] = newValue;
            size += at + 1 - after;
        }
    }

    /** Several accounts: compared with the last ones admitted, O(1) for a total. A beaten one may stay. */
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
