package io.slotwise.core.window.sweep;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some pods of a gang on some nodes, beside those of a seating before; null: none. */
record PartialSeating(
        long value,
        long cost,
        @Nullable PartialSeating before,
        int node,
        @Nullable Fill fill) {
    static final PartialSeating EMPTY = new PartialSeating(0, 0, null, -1, null);

    /** Pods of one node: how many of each shape, as a state, and what they add. */
    record Fill(int state, List<Integer> counts, long value, long cost) {}

    /** The second seating, once the first has been made. */
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

    /** Keeps the list ascending in value and descending in cost, without pairs that are beaten. */
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
