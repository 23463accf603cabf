package io.slotwise.core.recall;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Some nodes, those first on which a pod adds least to a sum. */
final class LeastFirst {
    private static final int INDEX_BITS = 20;

    private final int[] nodes;

    /** Which one of those that are left each is. */
    private final int[] order;

    private final long[] least;
    private final long most;

    LeastFirst(int[] some, Instants.Sum sum) {
        this.most = sum.most();
        long[] keys = Arrays.stream(some).mapToLong(sum.least()).toArray();
        boolean small = Arrays.stream(keys).allMatch(key -> key >= 0 && key < 1L << (Long.SIZE - 1 - INDEX_BITS));
        this.order = small && some.length < 1 << INDEX_BITS ? packed(keys) : boxed(keys);
        this.nodes = new int[some.length];
        this.least = new long[some.length];
        for (int i = 0; i < order.length; i++) {
            nodes[i] = some[order[i]];
            least[i] = keys[order[i]];
        }
    }

    /** The order of keys that are small enough to be one number with their indices. */
    private static int[] packed(long[] keys) {
        long[] sorted = new long[keys.length];
        Arrays.setAll(sorted, i -> keys[i] << INDEX_BITS | i);
        Arrays.sort(sorted);
        int[] order = new int[keys.length];
        Arrays.setAll(order, i -> (int) sorted[i] & ((1 << INDEX_BITS) - 1));
        return order;
    }

    private static int[] boxed(long[] keys) {
        return IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Whether so many pods, where so many have room on each of those that are left and one of them on a fresh one,
     * can keep within the bound.
     */
    boolean allows(int pods, int[] units, @Nullable BitSet fresh) {
        int left = pods;
        long sum = 0;
        long last = 0;
        boolean onFresh = fresh == null;
        for (int i = 0; i < nodes.length && (left > 0 || !onFresh); i++) {
            int here = units[order[i]];
            boolean isFresh = fresh != null && fresh.get(nodes[i]);
            if (left > 0 && here > 0) {
                int taken = Math.min(here, left);
                sum += taken * least[i];
                last = least[i];
                left -= taken;
                onFresh |= isFresh;
            } else if (here > 0 && isFresh) {
                // In the place of the one that adds most.
                sum += least[i] - last;
                onFresh = true;
            }
        }
        return left == 0 && onFresh && sum <= most;
    }
}
