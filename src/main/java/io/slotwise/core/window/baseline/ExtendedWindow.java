package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The slots of one step of the scan that can all begin together, from which a window is chosen (the paper's extended
 * window). Used for one search.
 *
 * <p>Invariant: every slot covers a pod that starts at {@link #start()}. No node occurs twice: of two slots of a node
 * the earlier has ended when the later begins. So its size M is at most the number of nodes.
 *
 * <p>{@link #add} and {@link #slots} take O(M), {@link #cheapestFirst} O(M log M).
 */
final class ExtendedWindow {
    private final List<FreeSlot> slots = new ArrayList<>();
    private long start;

    /**
     * Adds the next slot of the ordered list. The window's start moves to the slot's start, and all slots that are then
     * too short are removed, possibly including the new one.
     *
     * <p>The paper's loop removes while it counts, and so skips the slot after each removed one. Here every slot is
     * checked, as the paper intends.
     */
    void add(FreeSlot next) {
        slots.add(next);
        start = next.start();
        slots.removeIf(slot -> !slot.lastsFrom(start));
    }

    /** Returns the common start, seconds since the epoch. */
    long start() {
        return start;
    }

    int size() {
        return slots.size();
    }

    /** Returns the slots in the order in which they were added, with their cost from the common start on. */
    List<PricedSlot> slots() {
        List<PricedSlot> priced = new ArrayList<>(slots.size());
        for (FreeSlot slot : slots) {
            priced.add(new PricedSlot(slot, slot.offer().cost(start).microSecondsPerHour()));
        }
        return priced;
    }

    List<PricedSlot> cheapestFirst() {
        List<PricedSlot> priced = slots();
        Collections.sort(priced);
        return priced;
    }
}
