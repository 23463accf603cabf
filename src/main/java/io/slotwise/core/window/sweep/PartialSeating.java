package io.slotwise.core.window.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A placement of some pods of a gang on some nodes, which extends the one before, or null. */
record PartialSeating(
        long value,
        long cost,
        @Nullable PartialSeating before,
        int node,
        @Nullable Fill fill) {
    static final PartialSeating EMPTY = new PartialSeating(0, 0, null, -1, null);

    /** The pods of one node: the number of each shape, as a state, and what they add. */
    record Fill(int state, List<Integer> counts, long value, long cost) {}

    /** Appends the second placement to the first. */
    static PartialSeating after(PartialSeating one, PartialSeating other) {
        PartialSeating before = other.before();
        if (before == null) {
            return one;
        }
        PartialSeating earlierSeating = after(one, before);
        return new PartialSeating(
                one.value() + other.value(), one.cost() + other.cost(), earlierSeating, other.node(), other.fill());
    }

    static boolean isBeaten(List<PartialSeating> list, long value, long cost) {
        return list.stream().anyMatch(other -> other.value() <= value && other.cost() <= cost);
    }

    /** Inserts a placement. Keeps the list ascending in value and descending in cost, without beaten pairs. */
    static void insert(List<PartialSeating> list, PartialSeating seating) {
        int at = 0;
        while (at < list.size() && list.get(at).value() < seating.value()) {
            at++;
        }
        boolean beaten = (at > 0 && list.get(at - 1).cost() <= seating.cost())
                || (at < list.size()
                        && list.get(at).value() == seating.value()
                        && list.get(at).cost() <= seating.cost());
        if (beaten) {
            return;
        }
        while (at < list.size() && list.get(at).cost() >= seating.cost()) {
            list.remove(at);
        }
        list.add(at, seating);
    }
}
