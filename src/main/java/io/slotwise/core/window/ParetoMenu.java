package io.slotwise.core.window;

import java.util.ArrayList;
import java.util.List;

/**
 * The starts of all windows that are Pareto-optimal in (start, cost): there is none that starts no later and costs less.
 *
 * <p>In each segment of the pass the first second at which a window costs less than every one before it is such a start, found by
 * bisection since the least cost is concave; if the cost falls from there on, so are all seconds up to the segment's last, of
 * which only that one is listed. Where the fall goes on over several segments, only the first and the last second of the whole
 * stretch are.
 *
 * <p>Exact. O(m + U), see {@link Sweep}, with O(log segment) evaluations where prices move.
 */
final class ParetoMenu {
    private final List<Long> starts = new ArrayList<>();
    private long least = Long.MAX_VALUE;

    /** The last second of a stretch of falling cost that reaches to the end of the segment before; otherwise -1. */
    private long falling = -1;

    private ParetoMenu() {}

    /**
     * The starts, ascending.
     *
     * @param search where
     */
    static List<Long> starts(Search search) {
        ParetoMenu menu = new ParetoMenu();
        Sweep sweep = search.sweep();
        while (sweep.advance()) {
            menu.look(sweep);
        }
        return menu.starts;
    }

    private void look(Sweep sweep) {
        long before = falling;
        falling = -1;
        long first = sweep.firstWithin(least - 1, sweep.from(), sweep.to());
        if (first == Long.MAX_VALUE) {
            return;
        }
        least = sweep.cheapest(first, Long.MAX_VALUE);
        long last = sweep.moves() ? sweep.cheapest(sweep.to(), Long.MAX_VALUE) : least;
        if (last >= least) {
            starts.add(first);
            return;
        }
        least = last;
        if (first == before + 1) {
            starts.removeLast();
        } else {
            starts.add(first);
        }
        starts.add(sweep.to());
        falling = sweep.to();
    }
}
