package io.slotwise.core.window.baseline;

/** A slot of an extended window, with the cost of one pod that starts with the window, 1/3600 millionths. */
record PricedSlot(FreeSlot slot, long cost) implements Comparable<PricedSlot> {
    /** Sorts the cheapest first; of equal cost by the node's name, which the papers leave open. */
    @Override
    public int compareTo(PricedSlot other) {
        return cost != other.cost ? Long.compare(cost, other.cost) : node().compareTo(other.node());
    }

    String node() {
        return slot.offer().node();
    }

    /** Returns the seconds of a pod here: the paper's size of the slot in a window. */
    long duration() {
        return slot.offer().duration();
    }
}
