package io.slotwise.core.window.shortlist;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.sweep.DurationClasses;
import io.slotwise.core.window.units.LowestUnits;
import io.slotwise.core.window.units.UnitValues;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A lower bound for each node on a window with a unit there, by the criterion value.
 *
 * <p>Consider a window with a unit of node j and a longest pod of D seconds. Its value is the sum of j's {@linkplain
 * UnitValues worth}, of the worths of n - 1 more units on nodes that take no longer, and of the value of D seconds. The
 * bound is the least of that over all D no shorter than j's own duration: g(d) for all nodes of one duration d, and the
 * worth of the node.
 *
 * <p>The least n - 1 units lie on m nodes. If durations are few and m is small, as they mostly are, the m least of each
 * duration are enough. That takes O(k m) for k durations if their order is known, as where prices do not move, and O(N
 * log k) more for N nodes otherwise. If durations are many, nodes are sorted, O(N log N).
 */
public final class ValueBounds {
    /** The number of durations, and of nodes of each, that counts as few. */
    private static final int FEW = 64;

    private final Gang gang;
    private final List<Offer> offers;
    private final Offers nodeOffers;
    private final long earliest;
    private final long latest;

    /** The bound of each node, or null if it follows from cost and duration. */
    private final long @Nullable [] bounds;

    /** The distinct durations, ascending, if {@code bounds} is null, and what other units of each add at least. */
    private long[] durations = {};

    private long[] others = {};

    /** The seconds of a pod on the slowest of these nodes. */
    private final long longest;

    /** A lower bound of all windows. */
    private long least;

    /** Bounds nodes, sorted by name, for windows that start from {@code earliest} to {@code latest}. */
    public ValueBounds(Gang gang, List<Offer> all, long earliest, long latest) {
        this(gang, all, earliest, latest, FEW);
    }

    ValueBounds(Gang gang, List<Offer> all, long earliest, long latest, int few) {
        this.gang = gang;
        this.offers = all;
        this.nodeOffers = Offers.of(all);
        this.earliest = earliest;
        this.latest = latest;
        List<int[]> cheapest =
                nodeOffers.areFlat() && most() <= few ? nodeOffers.cheapestOfDurations(Math.max(1, most())) : null;
        if (cheapest == null) {
            long[] worths = UnitValues.of(gang, nodeOffers, earliest, latest);
            long[] known = most() > few ? new long[0] : durations(few);
            long[] each = known.length > 0 ? byDuration(worths, known) : sorted(worths);
            this.bounds = each;
            this.longest = IntStream.range(0, nodeOffers.size())
                    .mapToLong(nodeOffers::duration)
                    .max()
                    .orElse(0);
            this.least = Arrays.stream(each).min().orElse(Long.MAX_VALUE);
        } else {
            this.bounds = null;
            ofCheapest(cheapest);
            this.longest = durations.length == 0 ? 0 : durations[durations.length - 1];
        }
    }

    /** Bounds the nodes from the cheapest of each duration, where prices do not move. */
    private void ofCheapest(List<int[]> cheapest) {
        durations = cheapest.stream()
                .filter(some -> some.length > 0)
                .mapToLong(some -> nodeOffers.duration(some[0]))
                .sorted()
                .distinct()
                .toArray();
        LeastWorths[] worths = leastWorths(durations.length);
        long[] first = new long[durations.length];
        Arrays.fill(first, Long.MAX_VALUE);
        for (int[] some : cheapest) {
            for (int i : some) {
                int kind = Arrays.binarySearch(durations, nodeOffers.duration(i));
                worths[kind].add(nodeOffers.leastCost(i));
                first[kind] = Math.min(first[kind], nodeOffers.leastCost(i));
            }
        }
        others = others(worths, durations);
        least = Long.MAX_VALUE;
        for (int kind = 0; kind < others.length; kind++) {
            least = Math.min(least, Window.sum(first[kind], others[kind]));
        }
    }

    /** Returns on how many nodes the least n - 1 units lie. */
    private int most() {
        return Math.ceilDiv(gang.size() - 1, Math.max(1, nodeOffers.most()));
    }

    /** Returns the nodes' durations, ascending; empty if there are more than {@code few}. */
    private long[] durations(int few) {
        long[] known = new long[few];
        int n = 0;
        for (int i = 0; i < nodeOffers.size(); i++) {
            int at = Arrays.binarySearch(known, 0, n, nodeOffers.duration(i));
            if (at < 0) {
                if (n == few) {
                    return new long[0];
                }
                System.arraycopy(known, -at - 1, known, -at, n + at + 1);
                known[-at - 1] = nodeOffers.duration(i);
                n++;
            }
        }
        return Arrays.copyOf(known, n);
    }

    private long[] byDuration(long[] worths, long[] known) {
        int[] kinds = new int[worths.length];
        LeastWorths[] leastOf = leastWorths(known.length);
        for (int i = 0; i < worths.length; i++) {
            kinds[i] = Arrays.binarySearch(known, nodeOffers.duration(i));
            leastOf[kinds[i]].add(worths[i]);
        }
        long[] add = others(leastOf, known);
        long[] all = new long[worths.length];
        Arrays.setAll(all, i -> Window.sum(worths[i], add[kinds[i]]));
        return all;
    }

    private LeastWorths[] leastWorths(int kinds) {
        LeastWorths[] worths = new LeastWorths[kinds];
        Arrays.setAll(worths, _ -> new LeastWorths(most()));
        return worths;
    }

    /** Returns for each duration what n - 1 units and the time add at least to a window with such a unit. */
    private long[] others(LeastWorths[] leastOf, long[] known) {
        long[] add = new long[known.length];
        for (int kind = 0; kind < known.length; kind++) {
            if (kind > 0) {
                leastOf[kind].add(leastOf[kind - 1]);
            }
            add[kind] = leastOf[kind].isFull()
                    ? Window.sum(leastOf[kind].sum(), gang.delay(earliest + known[kind]))
                    : Long.MAX_VALUE;
        }
        for (int kind = known.length - 2; kind >= 0; kind--) {
            add[kind] = Math.min(add[kind], add[kind + 1]);
        }
        return add;
    }

    /** The least worths of nodes, ascending, up to a fixed number. */
    private final class LeastWorths {
        private final long[] worths;
        private int size;

        LeastWorths(int most) {
            this.worths = new long[most];
        }

        void add(long worth) {
            if (size == worths.length && (size == 0 || worth >= worths[size - 1])) {
                return;
            }
            int at = size < worths.length ? size++ : size - 1;
            while (at > 0 && worths[at - 1] > worth) {
                worths[at] = worths[at - 1];
                at--;
            }
            worths[at] = worth;
        }

        void add(LeastWorths otherWorths) {
            for (int i = 0; i < otherWorths.size; i++) {
                add(otherWorths.worths[i]);
            }
        }

        boolean isFull() {
            return size == worths.length;
        }

        /** Returns the sum of the least n - 1 units on these nodes. */
        long sum() {
            long sum = 0;
            int left = gang.size() - 1;
            for (int i = 0; i < size; i++) {
                int taken = Math.min(left, nodeOffers.most());
                sum += taken * worths[i];
                left -= taken;
            }
            return sum;
        }
    }

    private long[] sorted(long[] worths) {
        DurationClasses classes = new DurationClasses(offers);
        long[] add = others(worths, classes);
        long[] all = new long[worths.length];
        long leastOfLonger = Long.MAX_VALUE;
        for (int i = worths.length - 1; i >= 0; i--) {
            leastOfLonger = Math.min(leastOfLonger, add[i]);
            int node = classes.node(i);
            all[node] = Window.sum(worths[node], leastOfLonger);
        }
        return all;
    }

    /** Returns the sum of the least n - 1 worths up to each node, by duration, with the value of its duration. */
    private long[] others(long[] worths, DurationClasses classes) {
        long[] add = new long[worths.length];
        int units = gang.size() - 1;
        long[] keys = LowestUnits.distinct(worths);
        LowestUnits lowest = new LowestUnits(keys, Math.max(1, units));
        for (int i = 0; i < add.length; i++) {
            int node = classes.node(i);
            lowest.add(Arrays.binarySearch(keys, worths[node]), Math.min(Math.max(1, units), nodeOffers.most()));
            boolean last = i + 1 == add.length || classes.duration(i + 1) > classes.duration(i);
            boolean enough = units == 0 || lowest.size() >= units;
            add[i] = last && enough
                    ? Window.sum(units == 0 ? 0 : lowest.sum(), gang.delay(earliest + classes.duration(i)))
                    : Long.MAX_VALUE;
        }
        return add;
    }

    List<Offer> offers() {
        return offers;
    }

    Gang gang() {
        return gang;
    }

    /** Returns a second before which no window starts. */
    long earliest() {
        return earliest;
    }

    long latest() {
        return latest;
    }

    /** Returns the bound of the node at this position. */
    long of(int node) {
        return bounds == null ? key(nodeOffers.duration(node), nodeOffers.leastCost(node)) : bounds[node];
    }

    private long key(long duration, long cost) {
        return Window.sum(cost, others[Arrays.binarySearch(durations, duration)]);
    }

    /** Returns the positions of the first {@code count} nodes by bound, cost at the first second, and name. */
    int[] first(int count) {
        return bounds == null
                ? nodeOffers.firstBy(this::key, earliest, count)
                : nodeOffers.first((IntToLongFunction) this::of, earliest, count);
    }

    /** Returns the positions, ascending, of the nodes of all windows that are worth this or less. */
    public int[] within(long value) {
        long[] all = bounds;
        return all == null
                ? nodeOffers.withinBy(this::key, value)
                : IntStream.range(0, all.length).filter(i -> all[i] <= value).toArray();
    }

    public long least() {
        return least;
    }

    /**
     * Returns the last start of a window that is worth at most {@code value}, if no window is worth less than {@code
     * atLeast} by its cost and runtime alone. The wait adds no less than to the longest pod of all, since later seconds
     * add less. Only valid where prices do not move, since otherwise the bounds already include a part of the wait.
     */
    public long lastStart(long value, long atLeast) {
        if (!nodeOffers.areFlat() || gang.arrival() > earliest) {
            return latest;
        }
        long wait = Window.sum(Window.sum(value, -atLeast), gang.delay(earliest + longest));
        long end = gang.valueOfTime().lastEnd(gang.arrival(), wait);
        return end == Long.MAX_VALUE ? latest : Math.clamp(end - longest, earliest, latest);
    }

    /**
     * Returns whether no window with a unit on an unchosen node can replace this one, which is the best on the chosen
     * nodes and starts at the first second. A window that is worth as much and has such a unit can exchange it for a
     * unit of this window that is free next to it. The exchange costs no more money, and no more time, since the node
     * is no faster than this window.
     *
     * @param chosen positions, ascending
     */
    boolean settles(Window window, int[] chosen) {
        long dearest = 0;
        String last = "";
        for (Placement placement : window.placements()) {
            long cost = placement.cost().microSecondsPerHour();
            if (cost > dearest || (cost == dearest && placement.node().compareTo(last) > 0)) {
                dearest = cost;
                last = placement.node();
            }
        }
        for (int i : within(window.value(Criterion.VALUE, gang))) {
            if (Arrays.binarySearch(chosen, i) < 0 && !isNoBetter(i, window.runtime(), dearest, last)) {
                return false;
            }
        }
        return true;
    }

    private boolean isNoBetter(int node, long runtime, long dearest, String last) {
        if (nodeOffers.duration(node) < runtime) {
            return false;
        }
        long cost = nodeOffers.cost(node, earliest);
        return cost > dearest || (cost == dearest && nodeOffers.get(node).node().compareTo(last) > 0);
    }
}
