package io.slotwise.core.window;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.time.StepFunction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One pass over the slots of a request in time order, in segments of seconds on which the free units stay the same and every
 * unit's cost is linear in the start: the skeleton of every exact search.
 *
 * <p>Units whose cost does not depend on the start lie in a {@link CheapestUnits}, ranked by cost; nodes of equal price
 * function, share and duration form a class. The classes that a price calendar moves are few: their costs are evaluated where
 * they are asked for, and merged with the flat ones.
 *
 * <p>Within a segment the cost of the n cheapest units is a minimum of linear functions, hence concave: its least value lies
 * on the segment's first or last second, and if the first second is over a limit, the seconds within the limit are a suffix.
 *
 * <p>With m changes, C flat classes and c classes on calendars: O(m log m) to order the changes, O(log C) per change, and
 * O(c^2 + c log C) per evaluation (c is at most a few dozen). No allocation in the pass. The general scheme is AEP of V.
 * Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for Economic Scheduling
 * in Distributed Computing" (2013), section 2.1, which looks at the whole extended window at each of its m steps.
 */
final class Sweep {
    private static final int INDEX_BITS = 32;

    private final SlotList slots;
    private final int units;
    private final long[] events;
    private final int[] next;
    private final int[] classOf;
    private final int[] held;

    private final CheapestUnits flat;
    private long flatUnits;
    private final CostCurve[] curves;
    private final long[] curveUnits;
    private final long[] curveCost;
    private final int[] curveOrder;
    private long movingUnits;

    private int position;
    private long from;
    private long to;

    /**
     * Prepares the pass.
     *
     * @param slots the slots of all nodes
     * @param units how many units a window needs, n
     */
    Sweep(SlotList slots, int units) {
        this.slots = slots;
        this.units = units;
        List<Offer> offers = slots.offers();
        this.next = new int[offers.size()];
        this.held = new int[offers.size()];
        this.classOf = new int[offers.size()];
        long latest = slots.earliest();
        for (int i = 0; i < next.length; i++) {
            next[i] = slots.offset(i);
            if (slots.offset(i + 1) > slots.offset(i)) {
                latest = Math.max(latest, slots.time(slots.offset(i + 1) - 1));
            }
        }
        Classes classes = new Classes(offers, slots.earliest(), latest, classOf);
        this.flat = new CheapestUnits(classes.flatCosts);
        this.curves = classes.curves;
        this.curveUnits = new long[curves.length];
        this.curveCost = new long[curves.length];
        this.curveOrder = new int[curves.length];
        Arrays.setAll(curveOrder, i -> i);
        this.events = events(latest);
    }

    /** Groups nodes by what they cost: flat classes get their rank in ascending cost, moving ones -1 - index. */
    private static final class Classes {
        private final long[] flatCosts;
        private final CostCurve[] curves;

        private record Key(long duration, StepFunction rate) {}

        Classes(List<Offer> offers, long earliest, long latest, int[] classOf) {
            Map<Key, Integer> moving = new HashMap<>();
            CostCurve[] found = new CostCurve[0];
            long[] costs = new long[offers.size()];
            int flats = 0;
            for (int i = 0; i < costs.length; i++) {
                Offer offer = offers.get(i);
                CostCurve curve = null;
                if (!offer.rate().isConstant()) {
                    Key key = new Key(offer.duration(), offer.rate());
                    Integer known = moving.get(key);
                    if (known != null) {
                        classOf[i] = -1 - known;
                        continue;
                    }
                    curve = new CostCurve(offer.rate(), offer.duration(), earliest);
                    if (!curve.isFlatUntil(latest)) {
                        moving.put(key, found.length);
                        classOf[i] = -1 - found.length;
                        found = Arrays.copyOf(found, found.length + 1);
                        found[found.length - 1] = curve;
                        continue;
                    }
                }
                costs[flats++] = curve == null ? offer.rate().value(0) * offer.duration() : curve.at(earliest);
                classOf[i] = Integer.MAX_VALUE;
            }
            this.curves = found;
            this.flatCosts = Arrays.stream(costs, 0, flats).sorted().distinct().toArray();
            int at = 0;
            for (int i = 0; i < classOf.length; i++) {
                if (classOf[i] == Integer.MAX_VALUE) {
                    classOf[i] = Arrays.binarySearch(flatCosts, costs[at++]);
                }
            }
        }
    }

    /** All seconds at which something changes, ascending: seconds since the earliest start, then the node's index + 1 (0: a curve). */
    private long[] events(long latest) {
        int extra = Arrays.stream(curves).mapToInt(CostCurve::breakpoints).sum();
        long[] all = new long[slots.size() + extra];
        int n = 0;
        for (int i = 0; i < next.length; i++) {
            for (int p = slots.offset(i); p < slots.offset(i + 1); p++) {
                all[n++] = (slots.time(p) - slots.earliest()) << INDEX_BITS | (i + 1);
            }
        }
        for (CostCurve curve : curves) {
            for (int b = 0; b < curve.breakpoints(); b++) {
                long t = curve.breakpoint(b);
                if (t > slots.earliest() && t <= latest) {
                    all[n++] = (t - slots.earliest()) << INDEX_BITS;
                }
            }
        }
        long[] sorted = n == all.length ? all : Arrays.copyOf(all, n);
        Arrays.sort(sorted);
        return sorted;
    }

    /** Moves on to the next segment; false behind the last one. */
    boolean advance() {
        if (position == events.length) {
            return false;
        }
        long second = events[position] >>> INDEX_BITS;
        while (position < events.length && events[position] >>> INDEX_BITS == second) {
            int node = (int) events[position++] - 1;
            if (node >= 0) {
                change(node, slots.count(next[node]++));
            }
        }
        from = slots.earliest() + second;
        to = position == events.length ? from : slots.earliest() + (events[position] >>> INDEX_BITS) - 1;
        return true;
    }

    private void change(int node, int count) {
        int added = count - held[node];
        held[node] = count;
        int group = classOf[node];
        if (group >= 0) {
            flat.add(group, added);
            flatUnits += added;
        } else {
            curveUnits[-1 - group] += added;
            movingUnits += added;
        }
    }

    /** First second of the segment. */
    long from() {
        return from;
    }

    /** Last second of the segment. */
    long to() {
        return to;
    }

    /** Whether there are enough units for a window. */
    boolean enough() {
        return flatUnits + movingUnits >= units;
    }

    /** Whether the cost can differ between the seconds of the segment. */
    boolean moving() {
        return movingUnits > 0 && to > from;
    }

    /** What the cheapest window costs that starts at second {@code t} of the segment. */
    long cheapest(long t) {
        if (movingUnits == 0) {
            return flat.cheapest(units);
        }
        sortCurves(t);
        long taken = 0;
        long total = 0;
        for (int i : curveOrder) {
            if (curveUnits[i] == 0) {
                continue;
            }
            long open = units - taken - flat.countUpTo(curveCost[i]);
            if (open <= 0) {
                break;
            }
            long used = Math.min(open, curveUnits[i]);
            taken += used;
            total += used * curveCost[i];
        }
        return total + flat.cheapest(units - taken);
    }

    /** Insertion sort: the order changes little from one evaluation to the next. */
    private void sortCurves(long t) {
        for (int i = 0; i < curves.length; i++) {
            curveCost[i] = curves[i].at(t);
        }
        for (int i = 1; i < curveOrder.length; i++) {
            int moved = curveOrder[i];
            int j = i;
            while (j > 0 && curveCost[curveOrder[j - 1]] > curveCost[moved]) {
                curveOrder[j] = curveOrder[j - 1];
                j--;
            }
            curveOrder[j] = moved;
        }
    }
}
