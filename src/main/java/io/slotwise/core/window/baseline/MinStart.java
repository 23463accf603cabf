package io.slotwise.core.window.baseline;

import java.util.Optional;

/**
 * AMP (algorithm based on the maximal job price): the first window of the scan whose total cost is at most S, which is
 * one of the earliest start.
 *
 * <p>At every slot the n cheapest of the extended window are checked. The scan ends with the first window that S
 * allows. Since slots come one by one, also those of equal start, the window is found among as few slots as possible:
 * it is the first that is cheap enough, not the cheapest of its start.
 *
 * <p>Invariant: no window within S begins at the start of an earlier slot. With constant prices no window begins
 * earlier at all. A falling price may allow one between the starts of two slots, which the scan does not see.
 *
 * <p>O(m N log N) time for m slots of N nodes, of which log N is the sorting; O(m + N) space.
 *
 * <p>Source: the paper on AEP, section 2.2, minimising the start time.
 *
 * <p>Reading: "the first n parallel slots the total cost of which does not exceed the budget limit S" are the n
 * cheapest of the step at which they suffice. Taking the first n of the list at any cost would skip windows that S
 * allows, and the start would not be the earliest.
 */
public final class MinStart extends Aep {
    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        SlotWindow cheapestWindow =
                new SlotWindow(extended.start(), extended.cheapestFirst().subList(0, n));
        return cheapestWindow.cost() <= budget ? Optional.of(cheapestWindow) : Optional.empty();
    }

    @Override
    long criterion(SlotWindow window) {
        return window.start();
    }

    @Override
    boolean endsWithFirst() {
        return true;
    }
}
