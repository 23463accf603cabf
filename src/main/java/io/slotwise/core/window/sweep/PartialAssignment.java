package io.slotwise.core.window.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A placement of some pods of a gang on some nodes, which extends the one before, or null. */
record PartialAssignment(
        long value,
        long cost,
        @Nullable PartialAssignment before,
        int node,
        @Nullable Fill fill) {
    static final PartialAssignment EMPTY = new PartialAssignment(0, 0, null, -1, null);

    /** The pods of one node: the number of each shape, as a state, and what they add. */
    record Fill(int state, List<Integer> counts, long value, long cost) {}

    /** Appends the second placement to the first. */
    static PartialAssignment after(PartialAssignment first, PartialAssignment second) {
        PartialAssignment before = second.before();
        if (before == null) {
            return first;
        }
        PartialAssignment earlierAssignment = after(first, before);
        return new PartialAssignment(
                first.value() + second.value(),
                first.cost() + second.cost(),
                earlierAssignment,
                second.node(),
                second.fill());
    }

    static boolean isBeaten(List<PartialAssignment> list, long value, long cost) {
        return list.stream().anyMatch(other -> other.value() <= value && other.cost() <= cost);
    }

    /** Inserts a placement. Keeps the list ascending in value and descending in cost, without beaten pairs. */
    static void insert(List<PartialAssignment> list, PartialAssignment assignment) {
        int at = 0;
        while (at < list.size() && list.get(at).value() < assignment.value()) {
            at++;
        }
        boolean beaten = (at > 0 && list.get(at - 1).cost() <= assignment.cost())
                || (at < list.size()
                        && list.get(at).value() == assignment.value()
                        && list.get(at).cost() <= assignment.cost());
        if (beaten) {
            return;
        }
        while (at < list.size() && list.get(at).cost() >= assignment.cost()) {
            list.remove(at);
        }
        list.add(at, assignment);
    }
}
