package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Vacancy;
import io.slotwise.core.slot.Eligibility.Kind;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Offers of many nodes, and their figures without an object for each: a batch has as many kinds of gangs as gangs, and each of
 * them looks at few nodes closely.
 */
public abstract class Offers extends AbstractList<Offer> implements RandomAccess {
    Offers() {}

    /** The figures of these offers. */
    public static Offers of(List<Offer> offers) {
        return offers instanceof Offers figures ? figures : new Listed(offers);
    }

    /**
     * What nodes mean for gangs of one kind; each offer is made where it is asked for.
     *
     * @param eligible indices of nodes; null: all
     */
    static Offers eligible(Kind kind, Tariff tariff, List<NodeTimeline> nodes, int @Nullable [] eligible) {
        return new Eligible(kind, tariff, nodes, eligible);
    }

    /** Seconds that a pod takes on the i-th node. */
    public abstract long duration(int i);

    /** What a pod costs there that starts at second {@code start}, 1/3600 millionths. */
    public abstract long cost(int i, long start);

    /** Whether a pod costs the same there at every start from {@code earliest} to {@code latest}. */
    public abstract boolean isFlat(int i, long earliest, long latest);

    /** No pod costs less there, whenever it starts, 1/3600 millionths. */
    public abstract long leastCost(int i);

    /** What a pod draws there from its start to its end, milliwatt-seconds. */
    public abstract long energy(int i);

    /** The most pods of one window on any of these nodes. */
    public abstract int most();

    /** What comes first in an order of offers; then what a pod costs at a second, then the position. */
    public enum Key {
        NOTHING,
        DURATION,
        LEAST_COST,
        ENERGY
    }

    /** The key of the i-th offer. */
    public final long key(Key key, int i) {
        return switch (key) {
            case NOTHING -> 0;
            case DURATION -> duration(i);
            case LEAST_COST -> leastCost(i);
            case ENERGY -> energy(i);
        };
    }

    /**
     * The positions of the first offers in the order of a key, a pod's cost and the position. O(offers).
     *
     * @param second a pod's cost is that of a start at this second
     * @param count how many, positive, no more than there are
     */
    public int[] first(Key key, long second, int count) {
        long[] keys = new long[size()];
        Arrays.setAll(keys, i -> key(key, i));
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
        return Arrays.stream(chosen)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> keys[i])
                        .thenComparingLong(i -> cost(i, second))
                        .thenComparing(i -> i))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The same where some room is given back. */
    public Offers with(Vacancy vacancy) {
        return vacancy.isEmpty() ? this : new Vacated(this, vacancy);
    }

    /** Those at these positions; {@code positions} is not changed afterwards. */
    public Offers at(int[] positions) {
        return new Chosen(this, positions);
    }

    private static final class Chosen extends Offers {
        private final Offers offers;
        private final int[] positions;

        Chosen(Offers offers, int[] positions) {
            this.offers = offers;
            this.positions = positions;
        }

        @Override
        public Offer get(int i) {
            return offers.get(positions[i]);
        }

        @Override
        public int size() {
            return positions.length;
        }

        @Override
        public long duration(int i) {
            return offers.duration(positions[i]);
        }

        @Override
        public long cost(int i, long start) {
            return offers.cost(positions[i], start);
        }

        @Override
        public boolean isFlat(int i, long earliest, long latest) {
            return offers.isFlat(positions[i], earliest, latest);
        }

        @Override
        public long leastCost(int i) {
            return offers.leastCost(positions[i]);
        }

        @Override
        public long energy(int i) {
            return offers.energy(positions[i]);
        }

        @Override
        public int most() {
            return offers.most();
        }
    }

    private static final class Vacated extends Offers {
        private final Offers offers;
        private final Vacancy vacancy;

        Vacated(Offers offers, Vacancy vacancy) {
            this.offers = offers;
            this.vacancy = vacancy;
        }

        @Override
        public Offer get(int i) {
            Offer offer = offers.get(i);
            return offer.on(vacancy.of(offer.timeline()));
        }

        @Override
        public int size() {
            return offers.size();
        }

        @Override
        public long duration(int i) {
            return offers.duration(i);
        }

        @Override
        public long cost(int i, long start) {
            return offers.cost(i, start);
        }

        @Override
        public boolean isFlat(int i, long earliest, long latest) {
            return offers.isFlat(i, earliest, latest);
        }

        @Override
        public long leastCost(int i) {
            return offers.leastCost(i);
        }

        @Override
        public long energy(int i) {
            return offers.energy(i);
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
        public long leastCost(int i) {
            return get(i).rate().min() * get(i).duration();
        }

        @Override
        public boolean isFlat(int i, long earliest, long latest) {
            return get(i).isFlat(earliest, latest);
        }

        @Override
        public long energy(int i) {
            return get(i).energy();
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

    private static final class Eligible extends Offers {
        private final Kind kind;
        private final Tariff tariff;
        private final List<NodeTimeline> nodes;
        private final int @Nullable [] eligible;
        private final long[] durations;

        Eligible(Kind kind, Tariff tariff, List<NodeTimeline> nodes, int @Nullable [] eligible) {
            this.kind = kind;
            this.tariff = tariff;
            this.nodes = nodes;
            this.eligible = eligible;
            this.durations = tariff.durations(kind.request());
        }

        private int node(int i) {
            return eligible == null ? i : eligible[i];
        }

        @Override
        public Offer get(int i) {
            int node = node(i);
            return new Offer(
                    nodes.get(node),
                    kind.request().resources(),
                    duration(i),
                    tariff.rate(node),
                    tariff.power(node),
                    most());
        }

        @Override
        public int size() {
            return eligible == null ? nodes.size() : eligible.length;
        }

        @Override
        public long duration(int i) {
            return durations[tariff.speed(node(i))];
        }

        /** O(count log speeds) where prices do not move: nodes of one speed are always in the same order. */
        @Override
        public int[] first(Key key, long start, int count) {
            List<int[]> orders = tariff.orders(key == Key.ENERGY);
            if (orders.isEmpty()) {
                return super.first(key, start, count);
            }
            PriorityQueue<Cursor> heads = new PriorityQueue<>();
            for (int[] nodesOfOneSpeed : orders) {
                Cursor cursor = new Cursor(nodesOfOneSpeed, key, start);
                if (cursor.next()) {
                    heads.add(cursor);
                }
            }
            int[] first = new int[count];
            int n = 0;
            while (n < count) {
                Cursor head = heads.remove();
                Cursor second = heads.peek();
                boolean more = true;
                while (n < count && more && (second == null || head.compareTo(second) < 0)) {
                    first[n++] = head.position;
                    more = head.next();
                }
                if (more) {
                    heads.add(head);
                }
            }
            return first;
        }

        /** Where a merge stands in the eligible nodes of one speed. */
        private final class Cursor implements Comparable<Cursor> {
            private final int[] order;
            private final Key by;
            private final long second;
            private int reached;
            private int position;
            private long key;
            private long cost;

            Cursor(int[] order, Key by, long second) {
                this.order = order;
                this.by = by;
                this.second = second;
            }

            boolean next() {
                while (reached < order.length) {
                    int node = order[reached++];
                    position = eligible == null ? node : Arrays.binarySearch(eligible, node);
                    if (position >= 0) {
                        key = key(by, position);
                        cost = cost(position, second);
                        return true;
                    }
                }
                return false;
            }

            @Override
            public int compareTo(Cursor other) {
                int order = Long.compare(key, other.key);
                order = order == 0 ? Long.compare(cost, other.cost) : order;
                return order == 0 ? Integer.compare(position, other.position) : order;
            }
        }

        @Override
        public long cost(int i, long start) {
            return tariff.cost(node(i), start, duration(i));
        }

        @Override
        public long leastCost(int i) {
            return tariff.cheapest(node(i)) * duration(i);
        }

        @Override
        public boolean isFlat(int i, long earliest, long latest) {
            int node = node(i);
            return tariff.cheapest(node) == tariff.dearest(node) || get(i).isFlat(earliest, latest);
        }

        @Override
        public long energy(int i) {
            return tariff.power(node(i)) * duration(i);
        }

        @Override
        public int most() {
            return (int) Math.min(kind.maxPerNode(), kind.most());
        }
    }
}
