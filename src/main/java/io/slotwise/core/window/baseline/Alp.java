package io.slotwise.core.window.baseline;

import java.util.Optional;

/**
 * ALP (algorithm based on the local price of slots): the first n slots of the scan that can begin together, each of
 * which costs at most F an hour.
 *
 * <p>Slots above F, the terms' {@link io.slotwise.core.slot.SlotTerms#slotPrice()}, are not in the list of slots at
 * all; where a price changes in time, a slot ends where it rises above F. Of what is left the n slots that were added
 * first are taken, whatever they cost. Times are whole seconds, costs 1/3600 millionths.
 *
 * <p>Invariant: no n slots within F can begin together at the start of an earlier slot. A window by S alone (AMP) may
 * begin earlier, since there dear and cheap slots make up for each other.
 *
 * <p>O(m N) time for m slots of N nodes; O(m + N) space.
 *
 * <p>Source: the paper on AEP, sections 1 and 2.1.
 *
 * <p>Readings. The source names ALP, F and that it takes the first fitting window without any optimisation, but prints
 * no pseudo-code; "first" is read as first in the order of the list. A total budget is none of ALP's, and a caller that
 * wants the paper's ALP gives none; where there is one, first windows above it are passed over. Without F this is the
 * first fit.
 */
public final class Alp extends Aep {
    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        SlotWindow first = new SlotWindow(extended.start(), extended.slots().subList(0, n));
        return first.cost() <= budget ? Optional.of(first) : Optional.empty();
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
