package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.slot.Offer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The nodes of one search by the least that a unit on them can add to the criterion, so that the promising ones can be searched
 * first.
 *
 * <p>If a window on the first k nodes is better than any window with a unit on a later node can be, it is the best of all: for
 * the shortest runtime, if the next node takes longer; for sums (cost, processor time, energy), if the next node's least plus
 * the n - 1 least of all is more. Otherwise more nodes are looked at, each time {@value #GROWTH} times as many, so that all of
 * it costs at most a third more than one search over all nodes. O(N log N) for N nodes, once.
 */
final class Shortlist {
    private static final int GROWTH = 4;
    private static final int INDEX_BITS = 20;

    private final List<Offer> offers;
    private final Criterion criterion;
    private final int first;
    private final long[] least;
    private final int[] order;

    /** The sum of the least that n - 1 units add; 0 for the runtime. */
    private final long others;

    /**
     * Orders the nodes.
     *
     * @param offers by name
     * @param criterion runtime, cost, processor time or energy
     * @param size of the gang
     * @param first how many nodes are looked at first
     */
    Shortlist(List<Offer> offers, Criterion criterion, int size, int first) {
        this.offers = offers;
        this.criterion = criterion;
        this.first = first;
        this.least = new long[offers.size()];
        for (int i = 0; i < least.length; i++) {
            least[i] = least(offers.get(i));
        }
        this.order = ascending();
        this.others = criterion == Criterion.RUNTIME ? 0 : lowest(size - 1);
    }

    private long least(Offer offer) {
        return switch (criterion) {
            case RUNTIME, PROCESSOR_TIME -> offer.duration();
            case COST -> offer.rate().min() * offer.duration();
            case ENERGY -> offer.energy();
            case START, FINISH ->
                throw new IllegalArgumentException("The criterion (%s) has no shortlist.".formatted(criterion.key()));
        };
    }

    private int[] ascending() {
        long[] keys = new long[least.length];
        int bits = INDEX_BITS;
        long largest = Arrays.stream(least).max().orElse(0);
        if (largest < 1L << (Long.SIZE - 1 - bits)) {
            Arrays.setAll(keys, i -> least[i] << bits | i);
            Arrays.sort(keys);
            return Arrays.stream(keys)
                    .mapToInt(key -> (int) key & ((1 << bits) - 1))
                    .toArray();
        }
        return IntStream.range(0, least.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> least[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private long lowest(int units) {
        long sum = 0;
        int left = units;
        for (int i = 0; i < order.length && left > 0; i++) {
            int taken = Math.min(left, offers.get(order[i]).most());
            sum += taken * least[order[i]];
            left -= taken;
        }
        return sum;
    }

    /** How many nodes are looked at first. */
    int start() {
        return Math.min(first, order.length);
    }

    /** How many nodes are looked at after {@code size} of them. */
    int more(int size) {
        return Math.min(size * GROWTH, order.length);
    }

    /** Whether these are all nodes. */
    boolean isAll(int size) {
        return size == order.length;
    }

    /** The first nodes, by name. */
    List<Offer> prefix(int size) {
        if (isAll(size)) {
            return offers;
        }
        int[] chosen = Arrays.copyOf(order, size);
        Arrays.sort(chosen);
        List<Offer> prefix = new ArrayList<>(size);
        for (int i : chosen) {
            prefix.add(offers.get(i));
        }
        return prefix;
    }

    /** Whether no window with a unit on a node after the first {@code size} can be as good as {@code window}. */
    boolean settles(Window window, int size) {
        return isAll(size) || least[order[size]] + others > window.value(criterion);
    }
}
