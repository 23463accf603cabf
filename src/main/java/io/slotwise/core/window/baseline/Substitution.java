package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The substitution of long slots with shorter ones that {@link MinRuntime} and {@link MinFinish} share, in two readings
 * of its cost limit. Source and readings are documented there.
 */
public enum Substitution {
    /** As printed: the window's cost with both slots must stay below S. */
    PRINTED {
        @Override
        long credit(PricedSlot slot) {
            return 0;
        }
    },

    /** The window's cost after the substitution must stay below S. */
    NET {
        @Override
        long credit(PricedSlot slot) {
            return slot.cost();
        }
    };

    /** Returns what the leaving slot subtracts from the cost that is compared with S, 1/3600 millionths. */
    abstract long credit(PricedSlot slot);

    /** Returns the window of short runtime at the extended window's start; O(N (log N + n)). */
    Optional<SlotWindow> shortest(ExtendedWindow extended, int n, long budget) {
        List<PricedSlot> byCost = extended.cheapestFirst();
        List<PricedSlot> result = new ArrayList<>(byCost.subList(0, n));
        long cost = SlotWindow.cost(result);
        if (cost > budget) {
            return Optional.empty();
        }
        // In the order of cost, the next slot is always the cheapest of the rest.
        for (PricedSlot shortSlot : byCost.subList(n, byCost.size())) {
            int longest = longest(result);
            PricedSlot longSlot = result.get(longest);
            if (shortSlot.duration() < longSlot.duration() && cost + shortSlot.cost() - credit(longSlot) < budget) {
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
