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
 * For each node what a window with a unit on it is worth at least, by the criterion value.
 *
 * <p>A window with a unit of node j whose longest pod takes D seconds has j's {@linkplain UnitValues worth}, those of n
 * - 1 more units on nodes that take no longer than D, and the value of D seconds. The least of that over all D that are
 * no shorter than j's own duration is the bound: g(d) for all nodes of one duration d, and the worth of the node.
 *
 * <p>The least n - 1 units lie on m nodes. Where durations are few and m is small, as they are mostly, the m least of
 * each duration are enough: O(k m) for k durations where it is known of them which come first, as where prices do not
 * move, and O(N log k) more for N nodes where it is not; otherwise nodes are sorted, O(N log N).
 */
public final class ValueBounds {
    /** So many durations, and so many nodes of each, are few. */
    private static final int FEW = 64;

    private final Gang gang;
    private final List<Offer> offers;
    private final Offers nodeOffers;
    private final long earliest;
    private final long latest;

    /** Of each node; null: it is what its cost and its duration say. */
    private final long @Nullable [] bounds;

    /** Where that is so, the different durations, ascending, and what the others of each add at least. */
    private long[] durations = {};

    private long[] others = {};

    /** Seconds that a pod takes on the slowest of these nodes. */
    private final long longest;

    /** No window is worth less. */
    private long least;

    /** Bounds on nodes, by name, for windows that start from {@code earliest} to {@code latest}. */
    public ValueBounds(Gang gang, List<Offer> all, long earliest, long latest) {
        this(gang, all, earliest, latest, FEW);
    }

    /** The same where so many durations and nodes are few. */
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

    /** Of the cheapest nodes of each duration, where prices do not move. */
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

    /** On how many nodes the least n - 1 units lie. */
    private int most() {
        return Math.ceilDiv(gang.size() - 1, Math.max(1, nodeOffers.most()));
    }

    /** The nodes' durations, ascending; none if there are more than so many. */
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

    /** For each duration what n - 1 units and the time add at least to a window with a unit that takes as long. */
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

    /** The least worths of so many nodes, ascending. */
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

        /** Of the least n - 1 units on these nodes. */
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

    /** The least worths of n - 1 units up to each node, by duration, with the value of its duration. */
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

    /** The nodes, by name. */
    List<Offer> offers() {
        return offers;
    }

    Gang gang() {
        return gang;
    }

    /** No window starts before this second. */
    long earliest() {
        return earliest;
    }

    /** None starts after this one. */
    long latest() {
        return latest;
    }

    /** No window with a unit on the node at this position is worth less. */
    long of(int node) {
        return bounds == null ? key(nodeOffers.duration(node), nodeOffers.leastCost(node)) : bounds[node];
    }

    private long key(long duration, long cost) {
        return Window.sum(cost, others[Arrays.binarySearch(durations, duration)]);
    }

    /** The positions of the first nodes by their bounds, a pod's cost at the first second and name; so many. */
    int[] first(int count) {
        return bounds == null
                ? nodeOffers.firstBy(this::key, earliest, count)
                : nodeOffers.first((IntToLongFunction) this::of, earliest, count);
    }

    /** The positions, ascending, of the nodes of all windows that are worth this or less. */
    public int[] within(long value) {
        long[] all = bounds;
        return all == null
                ? nodeOffers.withinBy(this::key, value)
                : IntStream.range(0, all.length).filter(i -> all[i] <= value).toArray();
    }

    /** No window is worth less. */
    public long least() {
        return least;
    }

    /**
     * The last second at which a window can start that is worth this or less, if none is worth less than {@code
     * atLeast} by what its pods cost and how long they take: the wait adds no less than to the longest pod of all,
     * since the later the end the less another second adds. Only where prices do not move, since otherwise bounds count
     * a part of the wait already.
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
     * Whether no window with a unit on a node that is not chosen can take the place of this one, which is the best on
     * the chosen ones and starts at the first second. A window that is worth as much and has such a unit can have it
     * exchanged for one of this window's that is free beside it: for no more money, and since the node is no faster
     * than this window is, for no longer a time.
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
