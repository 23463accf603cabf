package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * minRuntime: a window of short runtime, by substituting long slots with shorter ones.
 *
 * <p>At every slot the n cheapest of the extended window are taken. Then the others are tried, the cheapest first: each takes
 * the place of the longest slot if it is shorter and "not too expensive". Times are whole seconds, costs 1/3600 millionths.
 *
 * <p>Invariant: the slots taken cost at most S together, and no substitution makes the longest of them longer. A heuristic:
 * the window need not be the shortest that S allows.
 *
 * <p>O(m N (log N + n)) time for m slots of N nodes and n pods, of which log N is the sorting and n the longest slot's
 * search; O(m + N) space.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 2.2, the minimum runtime.
 *
 * <p>Readings.
 *
 * <ul>
 *   <li>A substitution needs {@code resultWindow.cost + shortSlot.cost < S}, as printed: strictly less, and the cost of the
 *       slot that leaves is not taken off. Near S nothing is substituted any more, though the window after the substitution
 *       would be within S; this is the main reason why the result is not the shortest.
 *   <li>{@code getSubList(0,n)} and {@code getSubList(n+1,m)} together are the whole list: the first counts from zero, as the
 *       n cheapest are meant, the second from one. Counted from zero, the slot after the n cheapest would be lost without
 *       any purpose.
 *   <li>A window must cost at most S, so that at the start the n cheapest must; the pseudo-code does not say it, the problem of
 *       section 2.1 does.
 *   <li>Of several longest slots the one that stands first leaves; a slot put in stands last.
 * </ul>
 */
public final class MinRuntime extends Aep {
    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        return shortest(extended, n, budget);
    }

    @Override
    long criterion(SlotWindow window) {
        return window.runtime();
    }

    /** The window of short runtime at the extended window's start; O(N (log N + n)). */
    static Optional<SlotWindow> shortest(ExtendedWindow extended, int n, long budget) {
        List<PricedSlot> byCost = extended.cheapestFirst();
        List<PricedSlot> result = new ArrayList<>(byCost.subList(0, n));
        long cost = SlotWindow.cost(result);
        if (cost > budget) {
            return Optional.empty();
        }
        // In the order of cost, the next one is always the cheapest of what is left.
        for (PricedSlot shortSlot : byCost.subList(n, byCost.size())) {
            int longest = longest(result);
            PricedSlot longSlot = result.get(longest);
            if (shortSlot.duration() < longSlot.duration() && cost + shortSlot.cost() < budget) {
                result.remove(longest);
                result.add(shortSlot);
                cost += shortSlot.cost() - longSlot.cost();
            }
        }
        return Optional.of(new SlotWindow(extended.start(), result));
    }

    private static int longest(List<PricedSlot> slots) {
        int longest = 0;
        for (int i = 1; i < slots.size(); i++) {
            if (slots.get(i).duration() > slots.get(longest).duration()) {
                longest = i;
            }
        }
        return longest;
    }
}
