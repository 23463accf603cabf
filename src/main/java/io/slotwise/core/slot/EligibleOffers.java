package io.slotwise.core.slot;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.slot.Eligibility.Kind;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The offers of nodes for gangs of one kind. Offer objects are created on demand, since a batch may have as many kinds
 * as gangs, and each gang needs few of its offers.
 */
final class EligibleOffers extends Offers {
    private final Kind kind;
    private final PodTariff tariff;
    private final Timeline timeline;
    private final List<NodeTimeline> nodes;
    private final int @Nullable [] eligible;
    private final long[] durations;
    private final long[] mostPower;

    /** The offers of all nodes, or those of ascending indices, given the durations of a pod by speed. */
    EligibleOffers(Kind kind, PodTariff tariff, long[] durations, Timeline timeline, int @Nullable [] eligible) {
        this.kind = kind;
        this.tariff = tariff;
        this.timeline = timeline;
        this.nodes = timeline.nodes();
        this.eligible = eligible;
        this.durations = durations;
        this.mostPower = Eligibility.most(kind, durations);
    }

    private EligibleOffers(EligibleOffers offers, long[] durations) {
        this.kind = offers.kind;
        this.tariff = offers.tariff;
        this.timeline = offers.timeline;
        this.nodes = offers.nodes;
        this.eligible = offers.eligible;
        this.durations = durations;
        // The bound holds for the widest span.
        this.mostPower = offers.mostPower;
    }

    /** Returns the same offers with the durations of a span. */
    EligibleOffers lasting(Topology.Span span) {
        return new EligibleOffers(
                this, Arrays.stream(durations).map(span::lasting).toArray());
    }

    /** Returns the positions of the offers in each domain. */
    int[][] positions(Domains domains) {
        return domains.positions(eligible);
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
                // The energy of a window that cannot be summed is unknown. Gangs that need energy are kept off such
                // nodes.
                tariff.power(node) > mostPower[tariff.speed(node)] ? Node.UNKNOWN : tariff.power(node),
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

    /** Nodes of one speed take equally long: O(speeds) if all nodes are eligible. */
    @Override
    public long least(Figure figure) {
        return figure == Figure.DURATION && eligible == null && !nodes.isEmpty()
                ? Arrays.stream(durations).min().orElse(Long.MAX_VALUE)
                : super.least(figure);
    }

    /** O(speeds) if the nodes of these speeds are already known for a pod's size. */
    @Override
    public int[] within(Figure figure, long most) {
        if (figure != Figure.DURATION || eligible != null) {
            return super.within(figure, most);
        }
        BitSet speeds = new BitSet(durations.length);
        for (int speed = 0; speed < durations.length; speed++) {
            speeds.set(speed, durations[speed] <= most);
        }
        return tariff.ofSpeeds(speeds);
    }

    /** O(count log speeds) if prices do not move: nodes of one speed are always in the same order. */
    @Override
    public int[] first(Figure figure, long start, int count) {
        List<int[]> orders = tariff.orders(figure == Figure.ENERGY);
        return orders.isEmpty()
                ? super.first(figure, start, count)
                : merged(orders, count, order -> new Cursor(order, i -> figure(figure, i), start, _ -> true));
    }

    /** O(count log speeds) if prices do not move: of nodes of one speed the cheaper ones come first by any such key. */
    @Override
    public int[] firstBy(LongBinaryOperator key, long start, int count) {
        List<int[]> orders = tariff.orders(false);
        return orders.isEmpty()
                ? super.firstBy(key, start, count)
                : merged(orders, count, order -> new Cursor(order, i -> key(key, i), start, _ -> true));
    }

    /** O(speeds + m log m) for m results if prices do not move. */
    @Override
    public int[] withinBy(LongBinaryOperator key, long most) {
        List<int[]> orders = tariff.orders(false);
        if (orders.isEmpty()) {
            return super.withinBy(key, most);
        }
        int[] within = new int[size()];
        int n = 0;
        for (int[] nodesOfOneSpeed : orders) {
            Cursor cursor = new Cursor(nodesOfOneSpeed, i -> key(key, i), 0, _ -> true);
            while (cursor.next() && cursor.key <= most) {
                within[n++] = cursor.position;
            }
        }
        int[] ascending = Arrays.copyOf(within, n);
        Arrays.sort(ascending);
        return ascending;
    }

    /** O(speeds x count) if prices do not move. */
    @Override
    public @Nullable List<int[]> cheapestOfDurations(int count) {
        List<int[]> orders = tariff.orders(false);
        return orders.isEmpty()
                ? null
                : orders.stream()
                        .map(order -> merged(List.of(order), count, one -> new Cursor(one, _ -> 0, 0, _ -> true)))
                        .toList();
    }

    /** O(speeds x count) if prices do not move, and O(1) for each offer that is skipped. */
    @Override
    public int[] cheapest(long second, int count, IntPredicate among) {
        List<int[]> orders = tariff.orders(false);
        return orders.isEmpty()
                ? super.cheapest(second, count, among)
                : merged(orders, count, order -> new Cursor(order, _ -> 0, second, among));
    }

    /** Returns the first positions of a merge of all speeds, at most {@code count}. */
    private static int[] merged(List<int[]> orders, int count, Function<int[], Cursor> cursors) {
        PriorityQueue<Cursor> heads = new PriorityQueue<>();
        for (int[] nodesOfOneSpeed : orders) {
            Cursor cursor = cursors.apply(nodesOfOneSpeed);
            if (cursor.next()) {
                heads.add(cursor);
            }
        }
        int[] first = new int[count];
        int n = 0;
        while (n < count && !heads.isEmpty()) {
            Cursor headCursor = heads.remove();
            Cursor second = heads.peek();
            boolean more = true;
            while (n < count && more && (second == null || headCursor.compareTo(second) < 0)) {
                first[n++] = headCursor.position;
                more = headCursor.next();
            }
            if (more) {
                heads.add(headCursor);
            }
        }
        return n == count ? first : Arrays.copyOf(first, n);
    }

    /** The position of a merge in the eligible nodes of one speed. */
    private final class Cursor implements Comparable<Cursor> {
        private final int[] order;
        private final IntToLongFunction by;
        private final long second;
        private final IntPredicate among;
        private int reached;
        private int position;
        private long key;
        private long cost;

        Cursor(int[] order, IntToLongFunction by, long second, IntPredicate among) {
            this.order = order;
            this.by = by;
            this.second = second;
            this.among = among;
        }

        boolean next() {
            while (reached < order.length) {
                int node = order[reached++];
                position = eligible == null ? node : Arrays.binarySearch(eligible, node);
                if (position >= 0 && among.test(position)) {
                    key = by.applyAsLong(position);
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
    public int most(int i) {
        return (int) Math.min(most(), tariff.most(node(i)));
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
    public boolean areFlat() {
        return tariff.isFlat();
    }

    @Override
    public long energy(int i) {
        return tariff.power(node(i)) * duration(i);
    }

    @Override
    int version(int i) {
        return nodes.get(node(i)).version();
    }

    @Override
    long @Nullable [] firstStarts(int @Nullable [] positions) {
        PodRequest pod = kind.request();
        long[] all = timeline.firstStarts(pod.resources(), pod.runtime(), pod.nodeIndependent());
        if (positions == null && eligible == null) {
            return all;
        }
        long[] some = new long[positions == null ? size() : positions.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = all[node(positions == null ? i : positions[i])];
        }
        return some;
    }

    @Override
    public boolean tellFirstStarts() {
        return true;
    }

    @Override
    int position(String node) {
        int i = timeline.inventory().position(node);
        return eligible == null || i < 0 ? i : Arrays.binarySearch(eligible, i);
    }

    @Override
    public int most() {
        return (int) Math.min(kind.maxPerNode(), kind.most());
    }
}
