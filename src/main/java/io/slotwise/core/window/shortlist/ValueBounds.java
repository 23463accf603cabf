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
 * no shorter than j's own duration is the bound: g(d) for all nodes of one duration d, and the worth of the node. O(N
 * log N) for N nodes.
 */
final class ValueBounds {
    private final Gang gang;
    private final Offers figures;
    private final long earliest;
    private final long[] bounds;

    /**
     * Of these nodes.
     *
     * @param gang whose pods all ask for the same
     * @param all nodes by name
     * @param earliest no window starts before this second
     * @param latest none starts after this one
     */
    ValueBounds(Gang gang, List<Offer> all, long earliest, long latest) {
        this.gang = gang;
        this.figures = Offers.of(all);
        this.earliest = earliest;
        long[] worths = UnitValues.of(gang, figures, earliest, latest);
        DurationClasses classes = new DurationClasses(all);
        long[] others = others(worths, classes);
        this.bounds = new long[worths.length];
        long least = Long.MAX_VALUE;
        for (int i = worths.length - 1; i >= 0; i--) {
            least = Math.min(least, others[i]);
            int node = classes.node(i);
            bounds[node] = Window.sum(worths[node], least);
        }
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
