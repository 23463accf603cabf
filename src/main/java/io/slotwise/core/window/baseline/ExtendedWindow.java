package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The slots of one step of the scan that can all begin together, from which a window is chosen (the paper's extended
 * window): scratch of one search.
 *
 * <p>Invariant: every slot in it covers a pod that starts at {@link #start()}. No node is in it twice: of two slots of
 * a node the earlier has ended when the later begins. So its size M is at most the number of nodes.
 *
 * <p>{@link #add} and {@link #slots} take O(M), {@link #cheapestFirst} O(M log M).
 */
final class ExtendedWindow {
    private final List<FreeSlot> slots = new ArrayList<>();
    private long start;

    /**
     * Adds the next slot of the ordered list; the window's start moves to the slot's, and whatever is then too short
     * goes, the new slot itself among it.
     *
     * <p>The paper's loop removes while it counts and so passes over the slot after each removed one; meant is that
     * every slot is looked at.
     */
    void add(FreeSlot next) {
        slots.add(next);
        start = next.start();
        slots.removeIf(slot -> !slot.lastsFrom(start));
    }

    /** The common start, seconds since the epoch. */
    long start() {
        return start;
    }

    int size() {
        return slots.size();
    }

    /** The slots in the order in which they were added, with what each costs from the common start on. */
    List<PricedSlot> slots() {
        List<PricedSlot> priced = new ArrayList<>(slots.size());
        for (FreeSlot slot : slots) {
            priced.add(new PricedSlot(slot, slot.offer().cost(start).microSecondsPerHour()));
        }
        return priced;
    }

    /** The slots, the cheapest first. */
    List<PricedSlot> cheapestFirst() {
        List<PricedSlot> priced = slots();
        Collections.sort(priced);
        return priced;
    }
}
