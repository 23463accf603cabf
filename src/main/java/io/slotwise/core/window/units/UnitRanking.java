package io.slotwise.core.window.units;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranks free units by a key, {@code constant + factor x cost(t)}, and sums the n least keys at any second of a segment.
 *
 * <p>Units whose key does not depend on the start are in a {@link LowestUnits}. Nodes of equal price function, share,
 * duration and constant form a class. The classes that a price calendar moves are few. Their keys are evaluated on
 * demand, in O(1) each, and merged with the flat ones.
 *
 * <p>Within a segment every key is linear in the start, so the sum of the n lowest is a minimum of linear functions,
 * hence concave. So its least value lies on the segment's first or last second. If the first second is over a bound,
 * the seconds within the bound are a suffix.
 *
 * <p>With c moving classes: a change costs O(1), an evaluation O(c + n) at worst, usually O(c). Nothing is allocated
 * after the construction, which takes O(N log N) for N nodes.
 */
public final class UnitRanking {
    private static final int INDEX_BITS = 20;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private final int units;
    private final long factor;
    private final int[] groupOf;
    private final LowestUnits flatUnits;
    private final long largestKey;

    private final CostCurve[] curves;
    /** The first second of the pass. */
    private final long origin;

    private final long[] constants;
    private final long[] movingUnits;
    private final long[] movingKey;
    private final int[] order;
    private long moving;

    /** The second before which no curve changes its slope. */
    private long bend = Long.MIN_VALUE;

    /**
     * Creates a ranking without units at the slots' earliest second.
     *
     * @param constant the part of each node's key that is not cost, or null
     * @param factor the factor of the cost in the key
     */
    public UnitRanking(SlotList slots, int units, long @Nullable [] constant, long factor) {
        this.units = units;
        this.factor = factor;
        this.origin = slots.earliest();
        this.groupOf = new int[slots.offers().size()];
        Classes classes = new Classes(slots, constant, factor, groupOf);
        this.flatUnits = new LowestUnits(classes.flatKeys, units);
        this.largestKey = classes.largest;
        this.curves = classes.curves.toArray(new CostCurve[0]);
        this.constants = classes.constants.stream().mapToLong(Long::longValue).toArray();
        this.movingUnits = new long[curves.length];
        this.movingKey = new long[curves.length];
        this.order = new int[curves.length];
        Arrays.setAll(order, i -> i);
    }

    /** Groups nodes by key: flat ones have the rank of their key, moving ones -1 - index of their class. */
    private static final class Classes {
        private final List<CostCurve> curves = new ArrayList<>();
        private final List<Long> constants = new ArrayList<>();
        private final long[] flatKeys;
        private long largest;

        private record Key(long duration, StepFunction rate, long constant) {}

        Classes(SlotList slots, long @Nullable [] constant, long factor, int[] groupOf) {
            Map<Key, Integer> moving = new HashMap<>();
            Offers offers = Offers.of(slots.offers());
            long latest = slots.latest();
            long[] keys = new long[groupOf.length];
            int n = 0;
            for (int i = 0; i < groupOf.length; i++) {
                long fixed = constant == null ? 0 : constant[i];
                if (factor == 0 || offers.isFlat(i, slots.earliest(), latest)) {
                    keys[i] = fixed + (factor == 0 ? 0 : factor * offers.cost(i, slots.earliest()));
                    n++;
                    largest = Math.max(largest, keys[i]);
                    continue;
                }
                Offer offer = offers.get(i);
                Integer known = moving.putIfAbsent(new Key(offer.duration(), offer.rate(), fixed), curves.size());
                if (known == null) {
                    known = curves.size();
                    curves.add(new CostCurve(offer.rate(), offer.duration(), slots.earliest()));
                    long dearest = offer.rate().max(slots.earliest(), latest + offer.duration()) * offer.duration();
                    largest = Math.max(largest, fixed + factor * dearest);
                    constants.add(fixed);
                }
                groupOf[i] = -1 - known;
            }
            this.flatKeys = largest < 1L << (Long.SIZE - 1 - INDEX_BITS) && groupOf.length <= INDEX_MASK
                    ? ranked(keys, n, groupOf)
                    : searched(keys, groupOf);
        }

        /** Ranks the keys of flat nodes, of group 0 so far. A key and its node are packed into one number. */
        private static long[] ranked(long[] keys, int flats, int[] groupOf) {
            long[] sorted = new long[flats];
            int n = 0;
            for (int i = 0; i < groupOf.length; i++) {
                if (groupOf[i] == 0) {
                    sorted[n++] = keys[i] << INDEX_BITS | i;
                }
            }
            Arrays.sort(sorted);
            long[] distinct = new long[flats];
            int ranks = 0;
            for (long one : sorted) {
                long key = one >>> INDEX_BITS;
                if (ranks == 0 || distinct[ranks - 1] != key) {
                    distinct[ranks++] = key;
                }
                groupOf[(int) one & INDEX_MASK] = ranks - 1;
            }
            return Arrays.copyOf(distinct, ranks);
        }

        /**
         * Gives the flat units the ranks of their keys, like {@code ranked}, if the keys are too large to be packed
         * with the node into one number. Returns the distinct keys.
         */
        private static long[] searched(long[] keys, int[] groupOf) {
            long[] distinct = LowestUnits.distinct(IntStream.range(0, keys.length)
                    .filter(i -> groupOf[i] == 0)
                    .mapToLong(i -> keys[i])
                    .toArray());
            for (int i = 0; i < groupOf.length; i++) {
                if (groupOf[i] == 0) {
                    groupOf[i] = Arrays.binarySearch(distinct, keys[i]);
                }
            }
            return distinct;
        }
    }

    /** Removes all units and returns to the slots' earliest second. */
    public void rewind() {
        flatUnits.clear();
        Arrays.fill(movingUnits, 0);
        moving = 0;
        bend = Long.MIN_VALUE;
        Arrays.setAll(curves, i -> curves[i].rewound(origin));
    }

    /** Returns an upper bound of all keys. */
    public long largestKey() {
        return largestKey;
    }

    /** Returns the seconds at which a key's slope changes. */
    public long[] breakpoints() {
        return Arrays.stream(curves)
                .flatMapToLong(curve -> IntStream.range(0, curve.breakpoints()).mapToLong(curve::breakpoint))
                .toArray();
    }

    public boolean hasMoving() {
        return curves.length > 0;
    }

    /**
     * Returns a lower bound of any sum of n keys: every key at its least, with as many units as its nodes may have. O(N
     * + c (log c + breakpoints)).
     *
     * @param latest the last second of a start
     * @param most units of one node
     */
    public long least(long latest, long most) {
        long[] flats = new long[flatUnits.ranks()];
        Floor[] classes = new Floor[curves.length];
        long[] nodes = new long[curves.length];
        for (int group : groupOf) {
            if (group >= 0) {
                flats[group] += most;
            } else {
                nodes[-1 - group] += most;
            }
        }
        for (int i = 0; i < classes.length; i++) {
            classes[i] =
                    new Floor(constants[i] + factor * curves[i].rewound(origin).least(latest), nodes[i]);
        }
        Arrays.sort(classes, Comparator.comparingLong(Floor::key));
        long left = units;
        long sum = 0;
        int rank = 0;
        for (Floor floor : classes) {
            for (; left > 0 && rank < flats.length && flatUnits.key(rank) <= floor.key; rank++) {
                long taken = Math.min(left, flats[rank]);
                left -= taken;
                sum += taken * flatUnits.key(rank);
            }
            long taken = Math.min(left, floor.units);
            left -= taken;
            sum += taken * floor.key;
        }
        for (; left > 0 && rank < flats.length; rank++) {
            long taken = Math.min(left, flats[rank]);
            left -= taken;
            sum += taken * flatUnits.key(rank);
        }
        return sum;
    }

    /** The least key of a class, and the most units of its nodes. */
    private record Floor(long key, long units) {}

    /** Returns whether the key of the node's units does not depend on the start. */
    public boolean isFlat(int node) {
        return groupOf[node] >= 0;
    }

    /** Returns the rank of this node's key among the keys that do not depend on the start. */
    public int rank(int node) {
        return groupOf[node];
    }

    /** Adds units of a node; removes them if negative. */
    public void add(int node, int added) {
        int group = groupOf[node];
        if (group >= 0) {
            flatUnits.add(group, added);
        } else {
            movingUnits[-1 - group] += added;
            moving += added;
        }
    }

    /** Moves to the segment that begins at second {@code t}. */
    public void advance(long t) {
        if (t < bend) {
            return;
        }
        bend = Long.MAX_VALUE;
        for (CostCurve curve : curves) {
            curve.advance(t);
            bend = Math.min(bend, curve.nextBreakpoint());
        }
    }

    public boolean enough() {
        return flatUnits.size() + moving >= units;
    }

    /** Returns the least sum of n units if fewer are free, their keys do not move, and the others have a price. */
    public long atLeast(long price) {
        return flatUnits.sum() + (units - flatUnits.size()) * price;
    }

    /** Returns whether the least sum can differ between the seconds of a segment. */
    public boolean moves() {
        return moving > 0;
    }

    /** Returns the least sum of n keys at second {@code t} of the segment. Precondition: there are n units. */
    public long lowest(long t) {
        if (moving == 0) {
            return flatUnits.sum();
        }
        sort(t);
        return flatUnits.sumWith(movingUnits, movingKey, order);
    }

    /** Insertion sort: the order changes little between evaluations. */
    private void sort(long t) {
        for (int i = 0; i < curves.length; i++) {
            movingKey[i] = constants[i] + factor * curves[i].at(t);
        }
        for (int i = 1; i < order.length; i++) {
            int moved = order[i];
            int j = i;
            while (j > 0 && movingKey[order[j - 1]] > movingKey[moved]) {
                order[j] = order[j - 1];
                j--;
            }
            order[j] = moved;
        }
    }
}
