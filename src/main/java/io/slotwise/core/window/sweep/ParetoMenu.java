package io.slotwise.core.window.sweep;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the starts of all windows that are Pareto-optimal in (start, cost): no other window starts no later and costs
 * less.
 *
 * <p>In each segment of the pass the first second at which a window costs less than every one before is such a start,
 * found by bisection since the least cost is concave. If the cost falls from there on, so are all seconds up to the
 * segment's last, of which only that one is listed. If the fall continues over several segments, only the first and the
 * last second of the whole range are.
 *
 * <p>Where several sets of nodes are searched, their passes run in step: the least of their concave costs is concave on
 * the seconds that their segments share.
 *
 * <p>Exact. O(m + U), see {@link UniformSweep}, with O(log segment) evaluations where prices move, all times the number
 * of sets.
 */
public final class ParetoMenu {
    private final List<Long> starts = new ArrayList<>();
    private long least = Long.MAX_VALUE;

    /** The last second of a range of falling cost that reaches up to now; otherwise {@link Long#MIN_VALUE}. */
    private long falling = Long.MIN_VALUE;

    private ParetoMenu() {}

    /** Returns the starts, ascending. Each search is over nodes that may be used together. */
    public static List<Long> starts(List<SlotSearch> searches) {
        ParetoMenu menu = new ParetoMenu();
        List<SlotSweep> sweeps = new ArrayList<>();
        for (SlotSearch search : searches) {
            SlotSweep sweep = search.sweep();
            if (sweep.advance()) {
                sweeps.add(sweep);
            }
        }
        long t = Long.MIN_VALUE;
        while (!sweeps.isEmpty()) {
            t = Math.max(t, sweeps.stream().mapToLong(SlotSweep::from).min().getAsLong());
            t = menu.step(sweeps, t) + 1;
            long next = t;
            sweeps.removeIf(sweep -> sweep.to() < next && !sweep.advance());
        }
        return menu.starts;
    }

    /** Evaluates the seconds from {@code t} on in which no segment begins or ends; returns the last of them. */
    private long step(List<SlotSweep> sweeps, long t) {
        List<SlotSweep> open = new ArrayList<>();
        long last = Long.MAX_VALUE;
        for (SlotSweep sweep : sweeps) {
            last = Math.min(last, sweep.from() <= t ? sweep.to() : sweep.from() - 1);
            if (sweep.from() <= t && sweep.enough()) {
                open.add(sweep);
            }
        }
        look(open, t, last);
        return last;
    }

    private void look(List<SlotSweep> sweeps, long from, long to) {
        long before = falling;
        falling = Long.MIN_VALUE;
        long first = Long.MAX_VALUE;
        for (SlotSweep sweep : sweeps) {
            first = Math.min(first, sweep.firstWithin(least - 1, from, to));
        }
        if (first == Long.MAX_VALUE) {
            return;
        }
        least = cheapest(sweeps, first);
        boolean goesOn = first == before + 1;
        if (goesOn) {
            starts.removeLast();
        }
        long last = to > first && sweeps.stream().anyMatch(SlotSweep::moves) ? cheapest(sweeps, to) : least;
        if (last >= least) {
            starts.add(first);
            return;
        }
        least = last;
        if (!goesOn) {
            starts.add(first);
        }
        starts.add(to);
        falling = to;
    }

    private static long cheapest(List<SlotSweep> sweeps, long t) {
        long cheapest = Long.MAX_VALUE;
        for (SlotSweep sweep : sweeps) {
            cheapest = Math.min(cheapest, sweep.cheapest(t, Long.MAX_VALUE));
        }
        return cheapest;
    }
}
