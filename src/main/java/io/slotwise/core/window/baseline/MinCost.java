package io.slotwise.core.window.baseline;

import java.util.Optional;

/**
 * minCost: the window of the least total cost.
 *
 * <p>At every slot the n cheapest of the extended window are taken. The cheapest of these windows is the result if it
 * costs at most S.
 *
 * <p>Invariant: the kept window is the cheapest of all that begin at the start of a slot seen so far. With constant
 * prices that is the cheapest of all; a window that waits for a lower price between two slots is not found.
 *
 * <p>O(m N log N) time for m slots of N nodes, of which log N is the sorting; O(m + N) space.
 *
 * <p>Source: the paper on AEP, section 2.2, the minimum total execution cost.
 */
public final class MinCost extends Aep {
    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        SlotWindow cheapestWindow =
                new SlotWindow(extended.start(), extended.cheapestFirst().subList(0, n));
        return cheapestWindow.cost() <= budget ? Optional.of(cheapestWindow) : Optional.empty();
    }

    @Override
    long criterion(SlotWindow window) {
        return window.cost();
    }
}
