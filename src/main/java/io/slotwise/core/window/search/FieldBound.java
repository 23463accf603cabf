package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.Quickselect;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/**
 * Lower bounds of the windows on the nodes of one field, without a visit of their slots.
 *
 * <p>With n pods and at most c of them on any node, a window needs k = n / c nodes, rounded up. So it starts no earlier
 * than a pod can on the k-th node in that order, and a sum has at least the figures of the k least.
 *
 * @param field the index of the field
 * @param value a lower bound of the criterion's value
 * @param start a lower bound of the start, seconds since the epoch
 * @param cost a lower bound of the cost, 1/3600 millionths
 * @param room the most pods on those nodes that can take a pod at the start; 0 if the room does not matter
 */
record FieldBound(int field, long value, long start, long cost, long room) {
    /** The most promising field first, and of equal ones the fullest. */
    private static final Comparator<FieldBound> ORDER = Comparator.comparingLong(FieldBound::value)
            .thenComparingLong(FieldBound::start)
            .thenComparingLong(FieldBound::cost)
            .thenComparingLong(FieldBound::room)
            .thenComparingInt(FieldBound::field);

    /**
     * Returns the bounds of some fields that may have a window, most promising first. The pods of a gang of several
     * shapes are not bounded. O(nodes of all fields).
     */
    static List<FieldBound> of(Gang gang, List<SearchField> fields, IntPredicate some, SearchQuestion question) {
        List<FieldBound> bounds = new ArrayList<>();
        for (int field = 0; field < fields.size(); field++) {
            if (!some.test(field)) {
                continue;
            }
            if (gang.isUniform()) {
                add(bounds, gang, field, fields.get(field), question);
            } else {
                bounds.add(new FieldBound(field, Long.MIN_VALUE, Long.MIN_VALUE, 0, 0));
            }
        }
        Collections.sort(bounds, ORDER);
        return bounds;
    }

    private static void add(List<FieldBound> bounds, Gang gang, int index, SearchField field, SearchQuestion question) {
        OpenNodes nodes = new OpenNodes(gang, Offers.of(field.offers()), question);
        if (nodes.room < gang.size()) {
            return;
        }
        long start = nodes.least(i -> nodes.starts[i]);
        long cost = nodes.leastSum(Figure.COST);
        long value = nodes.value(start, cost);
        if (cost <= question.budget().microSecondsPerHour() && value <= question.most()) {
            bounds.add(
                    new FieldBound(index, value, start, cost, gang.topology().isAnywhere() ? 0 : nodes.roomBy(start)));
        }
    }

    /** Returns whether no window here is better than another one of a value, found in a field of some room. */
    boolean isNoBetter(Window window, long valueOfWindow, long roomOfWindow) {
        int order = Long.compare(value, valueOfWindow);
        order = order == 0 ? Long.compare(start, window.start()) : order;
        order = order == 0 ? Long.compare(cost, window.cost().microSecondsPerHour()) : order;
        return order > 0 || (order == 0 && room > 0 && room >= roomOfWindow);
    }

    /** The nodes of a field on which a pod may start within the terms. */
    private static final class OpenNodes {
        private final Gang gang;
        private final Offers offers;
        private final SearchQuestion question;
        private final int[] positions;
        private final long[] starts;
        private int count;

        /** The most pods on all of these nodes, and on any one of them. */
        private long room;

        private int most;

        OpenNodes(Gang gang, Offers offers, SearchQuestion question) {
            this.gang = gang;
            this.offers = offers;
            this.question = question;
            this.positions = new int[offers.size()];
            this.starts = new long[positions.length];
            SlotTerms terms = question.terms();
            long[] first = offers.with(question.restored()).firstStarts();
            for (int i = 0; i < positions.length; i++) {
                long start = first == null ? terms.earliest() : Math.max(first[i], terms.earliest());
                if (start <= terms.latest() && start <= terms.deadline() - offers.duration(i)) {
                    positions[count] = i;
                    starts[count++] = start;
                    room += offers.most(i);
                    most = Math.max(most, offers.most(i));
                }
            }
        }

        /** Returns the figures of the nodes, of which the least come first, up to the last one that a window needs. */
        private long[] leastFirst(IntToLongFunction figure) {
            long[] figures = new long[count];
            Arrays.setAll(figures, figure::applyAsLong);
            Quickselect.smallest(figures, Math.ceilDiv(gang.size(), most));
            return figures;
        }

        /** Returns a lower bound of the largest figure of the pods. */
        long least(IntToLongFunction figure) {
            return Arrays.stream(leastFirst(figure), 0, Math.ceilDiv(gang.size(), most))
                    .max()
                    .orElseThrow();
        }

        /** Returns a lower bound of the sum of the pods' figures. */
        long leastSum(Figure figure) {
            long[] figures = leastFirst(i -> offers.figure(figure, positions[i]));
            int last = Math.ceilDiv(gang.size(), most) - 1;
            long largest = Arrays.stream(figures, 0, last + 1).max().orElseThrow();
            long all = Arrays.stream(figures, 0, last + 1).sum();
            return most * (all - largest) + (gang.size() - (long) most * last) * largest;
        }

        long value(long start, long cost) {
            Criterion criterion = question.criterion();
            return switch (criterion) {
                case START -> start;
                case FINISH -> finish();
                case RUNTIME -> least(i -> offers.duration(positions[i]));
                case COST -> cost;
                case PROCESSOR_TIME, ENERGY -> leastSum(criterion.figure());
                case VALUE -> Window.sum(cost, gang.delay(finish()));
                case PREFERENCE ->
                    Window.sum(
                            gang.preferences().costError(cost),
                            gang.preferences()
                                    .leastTimeError(
                                            0,
                                            question.terms().earliest(),
                                            question.terms().latest()));
            };
        }

        private long finish() {
            return least(i -> starts[i] + offers.duration(positions[i]));
        }

        /** Returns the most pods on the nodes that can take a pod by some second. */
        long roomBy(long second) {
            long roomBy = 0;
            for (int i = 0; i < count; i++) {
                roomBy += starts[i] <= second ? offers.most(positions[i]) : 0;
            }
            return roomBy;
        }
    }
}
