package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion.Figure;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Offers of many nodes, by name, and their figures without an object for each. */
public abstract class Offers extends AbstractList<Offer> implements RandomAccess {
    Offers() {}

    public static Offers of(List<Offer> offers) {
        return offers instanceof Offers nodeOffers ? nodeOffers : new Listed(offers);
    }

    /** Returns the seconds that a pod takes on the i-th node. */
    public abstract long duration(int i);

    /** Returns the cost of a pod there that starts at second {@code start}, 1/3600 millionths. */
    public abstract long cost(int i, long start);

    /** Returns the most pods of one window on the i-th node if it is empty. */
    public abstract int most(int i);

    /** Returns whether a pod costs the same there at every start from {@code earliest} to {@code latest}. */
    public abstract boolean isFlat(int i, long earliest, long latest);

    /** Returns whether a pod is known to cost the same on each of the nodes at every start. */
    public abstract boolean areFlat();

    /** Returns a lower bound of a pod's cost there at any start, 1/3600 millionths. */
    public abstract long leastCost(int i);

    /** Returns the energy of a pod there from its start to its end, milliwatt-seconds. */
    public abstract long energy(int i);

    /** Returns the {@linkplain io.slotwise.core.cluster.NodeTimeline#version version} of the node's free capacity. */
    abstract int version(int i);

    /**
     * Returns for each offer a second before which no pod of it starts; {@link Long#MAX_VALUE} if none ever does. Null
     * if nothing is known. Read-only, and valid until the free capacity changes.
     */
    public final long @Nullable [] firstStarts() {
        return firstStarts(null);
    }

    /** Returns the same for the offers at some positions, or for all if null. O(positions) once they are known. */
    abstract long @Nullable [] firstStarts(int @Nullable [] positions);

    public abstract boolean tellFirstStarts();

    /** Returns the position of the offer on the node of this name, or a negative number. */
    abstract int position(String node);

    /** Returns the most pods of one window on any of these nodes. */
    public abstract int most();

    public final long figure(Figure figure, int i) {
        return switch (figure) {
            case NOTHING -> 0;
            case DURATION -> duration(i);
            case COST -> leastCost(i);
            case ENERGY -> energy(i);
        };
    }

    /** Returns the least figure of any of these offers, or more than any figure if there are none. O(offers). */
    public long least(Figure figure) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < size(); i++) {
            least = Math.min(least, figure(figure, i));
        }
        return least;
    }

    /** Returns the positions of offers whose figure is at most this, ascending; read-only. O(offers). */
    public int[] within(Figure figure, long most) {
        return IntStream.range(0, size()).filter(i -> figure(figure, i) <= most).toArray();
    }

    /** Returns the positions of the first offers by a figure, the cost at this second, and the position. O(offers). */
    public int[] first(Figure figure, long second, int count) {
        return first((IntToLongFunction) i -> figure(figure, i), second, count);
    }

    /** Returns the same in the order of any key of the i-th offer. */
    public int[] first(IntToLongFunction key, long second, int count) {
        long[] keys = new long[size()];
        Arrays.setAll(keys, key);
        long last = Quickselect.smallest(keys.clone(), count);
        int[] chosen = new int[count];
        int n = 0;
        int[] tied = new int[keys.length];
        int ties = 0;
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] < last) {
                chosen[n++] = i;
            } else if (keys[i] == last) {
                tied[ties++] = i;
            }
        }
        long[] costs = new long[ties];
        for (int i = 0; i < ties; i++) {
            costs[i] = cost(tied[i], second);
        }
        long dearest = Quickselect.smallest(costs.clone(), count - n);
        int cheaper = 0;
        for (long cost : costs) {
            cheaper += cost < dearest ? 1 : 0;
        }
        int left = count - n - cheaper;
        for (int i = 0; i < ties; i++) {
            if (costs[i] < dearest || (costs[i] == dearest && left-- > 0)) {
                chosen[n++] = tied[i];
            }
        }
        Ranked[] inOrder = new Ranked[count];
        Arrays.setAll(inOrder, i -> new Ranked(keys[chosen[i]], cost(chosen[i], second), chosen[i]));
        Arrays.sort(inOrder);
        Arrays.setAll(chosen, i -> inOrder[i].position);
        return chosen;
    }

    /** Returns the positions of {@code count} offers with the least cost at this second, in any order. */
    public int[] cheapest(long second, int count, IntPredicate among) {
        int[] some = IntStream.range(0, size()).filter(among).toArray();
        return some.length <= count
                ? some
                : Arrays.stream(at(some).first(Figure.NOTHING, second, count))
                        .map(i -> some[i])
                        .toArray();
    }

    /** Returns the same by a key of duration and least cost, which never falls with the cost. */
    public int[] firstBy(LongBinaryOperator key, long second, int count) {
        return first((IntToLongFunction) i -> key(key, i), second, count);
    }

    final long key(LongBinaryOperator key, int i) {
        return key.applyAsLong(duration(i), leastCost(i));
    }

    /** Returns the positions of offers for which such a key is at most this, ascending. O(offers). */
    public int[] withinBy(LongBinaryOperator key, long most) {
        return IntStream.range(0, size()).filter(i -> key(key, i) <= most).toArray();
    }

    /** Returns the positions of the {@code count} cheapest offers of each duration, or null if unknown. */
    public @Nullable List<int[]> cheapestOfDurations(int count) {
        return null;
    }

    /** An offer with its sort keys. */
    private record Ranked(long key, long cost, int position) implements Comparable<Ranked> {
        @Override
        public int compareTo(Ranked other) {
            int order = Long.compare(key, other.key);
            order = order == 0 ? Long.compare(cost, other.cost) : order;
            return order == 0 ? Integer.compare(position, other.position) : order;
        }
    }

    /** Returns the offers at these ascending positions. The array must not change afterwards. */
    public Offers at(int[] positions) {
        return new View(this, positions, RestoredCapacity.NONE);
    }

    public Offers with(RestoredCapacity restored) {
        return restored.isEmpty() ? this : new View(this, null, restored);
    }

    /** A selection of other offers, or the same offers with other timelines of the nodes. */
    private static final class View extends Offers {
        private final Offers offers;

        /** The positions of the offers, or null for all. */
        private final int @Nullable [] positions;

        private final RestoredCapacity restored;
        private final boolean restores;

        View(Offers offers, int @Nullable [] positions, RestoredCapacity restored) {
            this.offers = offers;
            this.positions = positions;
            this.restored = restored;
            this.restores = !restored.isEmpty();
        }

        private int position(int i) {
            return positions == null ? i : positions[i];
        }

        @Override
        public Offer get(int i) {
            Offer offer = offers.get(position(i));
            return restores ? offer.on(restored.of(offer.timeline())) : offer;
        }

        @Override
        public int size() {
            return positions == null ? offers.size() : positions.length;
        }

        @Override
        public long duration(int i) {
            return offers.duration(position(i));
        }

        @Override
        public long cost(int i, long start) {
            return offers.cost(position(i), start);
        }

        @Override
        public int most(int i) {
            return offers.most(position(i));
        }

        @Override
        public boolean isFlat(int i, long earliest, long latest) {
            return offers.isFlat(position(i), earliest, latest);
        }

        @Override
        public boolean areFlat() {
            return offers.areFlat();
        }

        @Override
        public long leastCost(int i) {
            return offers.leastCost(position(i));
        }

        @Override
        public long energy(int i) {
            return offers.energy(position(i));
        }

        @Override
        int version(int i) {
            return restores ? get(i).timeline().version() : offers.version(position(i));
        }

        /** The first starts are unknown for nodes with restored room. */
        @Override
        long @Nullable [] firstStarts(int @Nullable [] some) {
            int[] own = some == null ? positions : positions == null ? some : chosen(positions, some);
            long[] known = offers.firstStarts(own);
            if (known == null || restored.isEmpty()) {
                return known;
            }
            long[] seen = known.clone();
            for (NodeTimeline node : restored.nodes()) {
                int position = position(node.node().name());
                int i = some == null || position < 0 ? position : Arrays.binarySearch(some, position);
                if (i >= 0) {
                    seen[i] = Long.MIN_VALUE;
                }
            }
            return seen;
        }

        private static int[] chosen(int[] positions, int[] some) {
            int[] chosen = new int[some.length];
            Arrays.setAll(chosen, i -> positions[some[i]]);
            return chosen;
        }

        @Override
        public boolean tellFirstStarts() {
            return offers.tellFirstStarts();
        }

        @Override
        int position(String node) {
            int i = offers.position(node);
            return positions == null || i < 0 ? i : Arrays.binarySearch(positions, i);
        }

        @Override
        public int most() {
            return offers.most();
        }
    }

    private static final class Listed extends Offers {
        private final List<Offer> offers;

        Listed(List<Offer> offers) {
            this.offers = offers;
        }

        @Override
        public Offer get(int i) {
            return offers.get(i);
        }

        @Override
        public int size() {
            return offers.size();
        }

        @Override
        public long duration(int i) {
            return get(i).duration();
        }

        @Override
        public long cost(int i, long start) {
            return get(i).cost(start).microSecondsPerHour();
        }

        @Override
        public int most(int i) {
            Offer offer = get(i);
            return (int)
                    Math.min(offer.most(), offer.timeline().node().allocatable().times(offer.request()));
        }

        @Override
        public long leastCost(int i) {
            return get(i).rate().min() * get(i).duration();
        }

        @Override
        public boolean isFlat(int i, long earliest, long latest) {
            return get(i).isFlat(earliest, latest);
        }

        @Override
        public boolean areFlat() {
            return false;
        }

        @Override
        public long energy(int i) {
            return get(i).energy();
        }

        @Override
        int version(int i) {
            return get(i).timeline().version();
        }

        @Override
        long @Nullable [] firstStarts(int @Nullable [] positions) {
            return null;
        }

        @Override
        public boolean tellFirstStarts() {
            return false;
        }

        @Override
        int position(String node) {
            for (int i = 0; i < offers.size(); i++) {
                if (offers.get(i).node().equals(node)) {
                    return i;
                }
            }
            return -1;
        }

        @Override
        public int most() {
            int most = 0;
            for (Offer offer : offers) {
                most = Math.max(most, offer.most());
            }
            return most;
        }
    }
}
