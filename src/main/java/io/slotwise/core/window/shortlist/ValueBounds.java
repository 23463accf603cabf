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

/**
 * For each node what a window with a unit on it is worth at least, by the criterion value.
 *
 * <p>A window with a unit of node j whose longest pod takes D seconds has j's {@linkplain UnitValues worth}, those of n
 * - 1 more units on nodes that take no longer than D, and the value of D seconds. The least of that over all D that are
 * no shorter than j's own duration is the bound: g(d) for all nodes of one duration d, and the worth of the node.
 *
 * <p>The least n - 1 units lie on m nodes. Where durations are few and m is small, as they are mostly, the m least of
 * each duration are kept: O(N log k) for N nodes of k durations, and O(k m); otherwise nodes are sorted, O(N log N).
 */
public final class ValueBounds {
    /** So many durations, and so many nodes of each, are few. */
    private static final int FEW = 64;

    private final Gang gang;
    private final List<Offer> offers;
    private final Offers figures;
    private final long earliest;
    private final long latest;
    private final long[] bounds;

    /**
     * Of these nodes.
     *
     * @param gang whose pods all ask for the same
     * @param all nodes by name
     * @param earliest no window starts before this second
     * @param latest none starts after this one
     */
    public ValueBounds(Gang gang, List<Offer> all, long earliest, long latest) {
        this(gang, all, earliest, latest, FEW);
    }

    /** The same where so many durations and nodes are few. */
    ValueBounds(Gang gang, List<Offer> all, long earliest, long latest, int few) {
        this.gang = gang;
        this.offers = all;
        this.figures = Offers.of(all);
        this.earliest = earliest;
        this.latest = latest;
        long[] worths = UnitValues.of(gang, figures, earliest, latest);
        long[] durations = most() > few ? new long[0] : durations(few);
        this.bounds = durations.length > 0 ? byDuration(worths, durations) : sorted(worths);
    }

    /** On how many nodes the least n - 1 units lie. */
    private int most() {
        return Math.ceilDiv(gang.size() - 1, Math.max(1, figures.most()));
    }

    /** The nodes' durations, ascending; none if there are more than so many. */
    private long[] durations(int few) {
        long[] known = new long[few];
        int n = 0;
        for (int i = 0; i < figures.size(); i++) {
            int at = Arrays.binarySearch(known, 0, n, figures.duration(i));
            if (at < 0) {
                if (n == few) {
                    return new long[0];
                }
                System.arraycopy(known, -at - 1, known, -at, n + at + 1);
                known[-at - 1] = figures.duration(i);
                n++;
            }
        }
        return Arrays.copyOf(known, n);
    }

    private long[] byDuration(long[] worths, long[] durations) {
        int[] kinds = new int[worths.length];
        LeastWorths[] least = new LeastWorths[durations.length];
        Arrays.setAll(least, _ -> new LeastWorths(most()));
        for (int i = 0; i < worths.length; i++) {
            kinds[i] = Arrays.binarySearch(durations, figures.duration(i));
            least[kinds[i]].add(worths[i]);
        }
        long[] others = new long[durations.length];
        for (int kind = 0; kind < durations.length; kind++) {
            if (kind > 0) {
                least[kind].add(least[kind - 1]);
            }
            others[kind] = least[kind].isFull()
                    ? Window.sum(least[kind].sum(), gang.delay(earliest + durations[kind]))
                    : Long.MAX_VALUE;
        }
        for (int kind = durations.length - 2; kind >= 0; kind--) {
            others[kind] = Math.min(others[kind], others[kind + 1]);
        }
        long[] all = new long[worths.length];
        Arrays.setAll(all, i -> Window.sum(worths[i], others[kinds[i]]));
        return all;
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

        void add(LeastWorths others) {
            for (int i = 0; i < others.size; i++) {
                add(others.worths[i]);
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
                int taken = Math.min(left, figures.most());
                sum += taken * worths[i];
                left -= taken;
            }
            return sum;
        }
    }

    private long[] sorted(long[] worths) {
        DurationClasses classes = new DurationClasses(offers);
        long[] others = others(worths, classes);
        long[] all = new long[worths.length];
        long least = Long.MAX_VALUE;
        for (int i = worths.length - 1; i >= 0; i--) {
            least = Math.min(least, others[i]);
            int node = classes.node(i);
            all[node] = Window.sum(worths[node], least);
        }
        return all;
    }

    /**
     * For each node, by duration, the least worths of n - 1 units on those up to it and the value of its duration; only
     * the last of a duration counts.
     */
    private long[] others(long[] worths, DurationClasses classes) {
        long[] others = new long[worths.length];
        int units = gang.size() - 1;
        long[] keys = LowestUnits.distinct(worths);
        LowestUnits lowest = new LowestUnits(keys, Math.max(1, units));
        for (int i = 0; i < others.length; i++) {
            int node = classes.node(i);
            lowest.add(Arrays.binarySearch(keys, worths[node]), Math.min(Math.max(1, units), figures.most()));
            boolean last = i + 1 == others.length || classes.duration(i + 1) > classes.duration(i);
            boolean enough = units == 0 || lowest.size() >= units;
            others[i] = last && enough
                    ? Window.sum(units == 0 ? 0 : lowest.sum(), gang.delay(earliest + classes.duration(i)))
                    : Long.MAX_VALUE;
        }
        return others;
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
        return bounds[node];
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
        long value = window.value(Criterion.VALUE, gang);
        long dearest = 0;
        String last = "";
        for (Placement seat : window.placements()) {
            long cost = seat.cost().microSecondsPerHour();
            if (cost > dearest || (cost == dearest && seat.node().compareTo(last) > 0)) {
                dearest = cost;
                last = seat.node();
            }
        }
        int at = 0;
        for (int i = 0; i < bounds.length; i++) {
            if (at < chosen.length && chosen[at] == i) {
                at++;
            } else if (bounds[i] <= value && !isNoBetter(i, window.runtime(), dearest, last)) {
                return false;
            }
        }
        return true;
    }

    private boolean isNoBetter(int node, long runtime, long dearest, String last) {
        if (figures.duration(node) < runtime) {
            return false;
        }
        long cost = figures.cost(node, earliest);
        return cost > dearest || (cost == dearest && figures.get(node).node().compareTo(last) > 0);
    }
}
