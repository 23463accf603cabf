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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches many fields, the most promising first, and leaves out those whose windows cannot be better than one that was
 * found.
 *
 * <p>A window needs as many nodes as take all n pods if they are empty. So it starts no earlier than a pod can on the
 * last of as many nodes, by the first start. It takes no less than on the last of as many by the runtime, and a sum has
 * at least the n least figures. A field is bounded at first by what never changes. When its turn comes, the first
 * starts on its nodes count too, and then the nodes do not that the best window so far rules out.
 *
 * <p>O(N + F log F) for N nodes in F fields, and the searches of the fields that are not left out. Gangs of several
 * shapes have no bounds. Thread-safe.
 */
final class FieldOrder {
    /** The most nodes of a field that are searched without a shortlist. */
    private static final int FEW = FieldSearch.FIRST_NODES / FieldSearch.GROWTH;

    private final Gang gang;
    private final List<SearchField> fields;
    private final FieldSearch search;

    /** Finds the best window on any nodes with the runtime of the narrowest span; empty if they are not known. */
    private final Supplier<Optional<WindowSearch>> anywhere;

    /** The most pods on each node of a field, or null if the field cannot hold the gang. Empty before the first use. */
    private volatile List<int @Nullable []> rooms = List.of();

    /** Bounds of the figures of each field, null if it cannot hold the gang. A figure is added at its first use. */
    private volatile Map<Figure, List<@Nullable Least>> least = Map.of();

    /** Searches one field. */
    interface FieldSearcher {
        SearchAnswer best(int field, SearchQuestion question);
    }

    /**
     * Lower bounds of the figures of a window's pods.
     *
     * @param one the least of one pod
     * @param largest the largest of all pods
     * @param sum the sum of all pods
     */
    private record Least(long one, long largest, long sum) {
        /** Given the figures of a pod on some nodes and the most pods there, which are both moved. Null if too few. */
        static @Nullable Least of(long[] figures, int[] rooms, int nodes, int pods) {
            long room = 0;
            for (int i = 0; i < nodes; i++) {
                room += rooms[i];
            }
            if (room < pods) {
                return null;
            }
            long last = Quickselect.smallest(figures, rooms, nodes, pods);
            long one = last;
            long sum = 0;
            long left = pods;
            for (int i = 0; i < nodes; i++) {
                if (figures[i] < last) {
                    one = Math.min(one, figures[i]);
                    sum += rooms[i] * figures[i];
                    left -= rooms[i];
                }
            }
            return new Least(one, last, sum + left * last);
        }
    }

    /**
     * Lower bounds of a field's windows.
     *
     * @param started whether the first starts on its nodes count
     */
    private record Bound(int field, long value, long start, long cost, boolean started) implements Comparable<Bound> {
        @Override
        public int compareTo(Bound other) {
            int order = Long.compare(value, other.value);
            order = order == 0 ? Long.compare(start, other.start) : order;
            order = order == 0 ? Long.compare(cost, other.cost) : order;
            return order == 0 ? Integer.compare(field, other.field) : order;
        }

        int compareTo(Found found) {
            int order = Long.compare(value, found.value);
            order = order == 0 ? Long.compare(start, found.window.start()) : order;
            return order == 0 ? Long.compare(cost, found.window.cost().microSecondsPerHour()) : order;
        }
    }

    /**
     * The best window so far.
     *
     * @param value by the question's criterion
     * @param room the most pods on the nodes of its domain on which a pod can start when it does
     */
    private record Found(Window window, long value, long room) {
        boolean isLike(Found other) {
            return value == other.value
                    && window.start() == other.window.start()
                    && window.cost().equals(other.window.cost());
        }

        boolean isBetter(Found other, Comparator<Window> order) {
            return (isLike(other) && room != other.room) ? room < other.room : order.compare(window, other.window) < 0;
        }
    }

    FieldOrder(Gang gang, List<SearchField> fields, FieldSearch search, Supplier<Optional<WindowSearch>> anywhere) {
        this.gang = gang;
        this.fields = fields;
        this.search = search;
        this.anywhere = anywhere;
    }

    /**
     * Returns the best window of all fields. If windows are equal except for their nodes, the one in the fullest
     * domain is the best, then the one on the first nodes by name. Where costs count and prices move, the bounds of the
     * fields tell little. Then the first window that is as good as the best one on any nodes ends the search.
     */
    SearchAnswer best(SearchQuestion question, FieldSearcher searcher) {
        Comparator<Window> order = WindowSearch.order(question.criterion(), gang);
        Found idealFound = null;
        WindowSearch wholeSearch =
                pricesMove(question.criterion()) ? anywhere.get().orElse(null) : null;
        if (wholeSearch != null) {
            SearchAnswer answer = wholeSearch.answer(question.by(question.criterion()));
            Window window = answer.window();
            if (window == null && !answer.bounded()) {
                return answer;
            }
            if (window != null && !answer.bounded()) {
                idealFound = new Found(window, window.value(question.criterion(), gang), 0);
            }
        }
        PriorityQueue<Bound> bounds = bounds(question);
        SearchQuestion openQuestion = question;
        SearchAnswer answer = SearchAnswer.NOTHING;
        Found found = null;
        for (Bound bound = bounds.poll(); bound != null; bound = bounds.poll()) {
            if (found != null && gang.isUniform() && bound.compareTo(found) > 0) {
                return answer;
            }
            if (!bound.started) {
                Bound startedBound = bound(bound.field, openQuestion, true);
                if (startedBound != null) {
                    bounds.add(startedBound);
                }
                continue;
            }
            SearchAnswer next;
            if (found == null || !gang.isUniform()) {
                next = searcher.best(bound.field, openQuestion);
            } else {
                OpenNodes nodes = new OpenNodes(bound.field, openQuestion);
                if (!nodes.arePromising(found)) {
                    continue;
                }
                next = nodes.search(found, searcher);
            }
            Window window = next.window();
            Found other = window == null ? null : found(window, bound.field, openQuestion);
            if (other != null && (found == null || other.isBetter(found, order))) {
                found = other;
                answer = answer.then(next);
                openQuestion = question.bounded(found.window, gang);
                if (idealFound != null && found.isLike(idealFound)) {
                    return answer;
                }
            } else {
                answer = next.then(answer);
            }
        }
        return answer;
    }

    private boolean pricesMove(Criterion criterion) {
        return criterion.figure() == Figure.COST
                && gang.topology().spans().getFirst().level() != null
                && !fields.isEmpty()
                && !offers(0).areFlat();
    }

    private PriorityQueue<Bound> bounds(SearchQuestion question) {
        List<Bound> bounds = new ArrayList<>(fields.size());
        for (int field = 0; field < fields.size(); field++) {
            Bound bound = gang.isUniform()
                    ? bound(field, question, false)
                    : new Bound(field, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, true);
            if (bound != null) {
                bounds.add(bound);
            }
        }
        return new PriorityQueue<>(bounds);
    }

    private @Nullable Bound bound(int field, SearchQuestion question, boolean started) {
        int[] fieldRooms = rooms().get(field);
        if (fieldRooms == null) {
            return null;
        }
        SlotTerms terms = question.terms();
        long start = started ? start(field, fieldRooms, question) : terms.earliest();
        long cost = least(Figure.COST, field).sum;
        if (start > terms.latest()
                || start > terms.deadline() - least(Figure.DURATION, field).largest
                || cost > question.budget().microSecondsPerHour()) {
            return null;
        }
        long value = value(question, start, figure -> least(figure, field));
        return value > question.most() ? null : new Bound(field, value, start, cost, started);
    }

    /** Returns a second within the terms before which no window of a field starts. */
    private long start(int field, int[] fieldRooms, SearchQuestion question) {
        long[] first = offers(field).with(question.restored()).firstStarts();
        return first == null
                ? question.terms().earliest()
                : start(first, fieldRooms, first.length, question.terms().earliest());
    }

    /** Returns a second from {@code earliest} on before which no window starts on nodes with these first starts. */
    private long start(long[] first, int[] rooms, int nodes, long earliest) {
        long soon = 0;
        long room = 0;
        for (int i = 0; i < nodes && soon < gang.size(); i++) {
            soon += first[i] <= earliest ? rooms[i] : 0;
            room += rooms[i];
        }
        return soon >= gang.size()
                ? earliest
                : room < gang.size()
                        ? Long.MAX_VALUE
                        : Quickselect.smallest(first.clone(), rooms.clone(), nodes, gang.size());
    }

    private long value(SearchQuestion question, long start, Function<Figure, Least> figures) {
        Criterion criterion = question.criterion();
        return switch (criterion) {
            case START -> start;
            case FINISH -> end(start, figures);
            case RUNTIME -> figures.apply(Figure.DURATION).largest;
            case COST, PROCESSOR_TIME, ENERGY -> figures.apply(criterion.figure()).sum;
            case VALUE -> Window.sum(figures.apply(Figure.COST).sum, gang.delay(end(start, figures)));
            case PREFERENCE ->
                Window.sum(
                        gang.preferences().costError(figures.apply(Figure.COST).sum),
                        gang.preferences()
                                .leastTimeError(
                                        figures.apply(Figure.DURATION).largest,
                                        start,
                                        question.terms().latest()));
        };
    }

    private static long end(long start, Function<Figure, Least> figures) {
        return start + figures.apply(Figure.DURATION).largest;
    }

    private Found found(Window window, int field, SearchQuestion question) {
        boolean domains = gang.isUniform() && !gang.topology().isAnywhere();
        long room = domains ? room(field, question, window.start()) : 0;
        return new Found(window, window.value(question.criterion(), gang), room);
    }

    /** Returns the most pods on the nodes of a field on which a pod may start by a second. */
    private long room(int field, SearchQuestion question, long second) {
        Offers offers = offers(field);
        long[] first = offers.with(question.restored()).firstStarts();
        long room = 0;
        for (int i = 0; i < offers.size(); i++) {
            room += first == null || first[i] <= second ? offers.most(i) : 0;
        }
        return room;
    }

    private Offers offers(int field) {
        return Offers.of(fields.get(field).offers());
    }

    private List<int @Nullable []> rooms() {
        List<int @Nullable []> known = rooms;
        if (known.isEmpty()) {
            known = new ArrayList<>(fields.size());
            for (int field = 0; field < fields.size(); field++) {
                Offers offers = offers(field);
                int[] fieldRooms = new int[offers.size()];
                long room = 0;
                for (int i = 0; i < fieldRooms.length; i++) {
                    fieldRooms[i] = offers.most(i);
                    room += fieldRooms[i];
                }
                known.add(room < gang.size() ? null : fieldRooms);
            }
            rooms = known;
        }
        return known;
    }

    /** Precondition: the field can hold the gang. */
    private Least least(Figure figure, int field) {
        return Objects.requireNonNull(leastOfFields(figure).get(field));
    }

    private List<@Nullable Least> leastOfFields(Figure figure) {
        List<@Nullable Least> known = least.get(figure);
        if (known != null) {
            return known;
        }
        List<@Nullable Least> all = new ArrayList<>(fields.size());
        for (int field = 0; field < fields.size(); field++) {
            int[] fieldRooms = rooms().get(field);
            Offers offers = offers(field);
            long[] figures = new long[fieldRooms == null ? 0 : fieldRooms.length];
            Arrays.setAll(figures, i -> offers.figure(figure, i));
            all.add(fieldRooms == null ? null : Least.of(figures, fieldRooms.clone(), figures.length, gang.size()));
        }
        // If two threads add a figure at the same time, one of them is computed again.
        Map<Figure, List<@Nullable Least>> more = new HashMap<>(least);
        more.put(figure, all);
        least = more;
        return all;
    }

    /** The nodes of a field on which a pod may start within the terms, and that can be part of a useful window. */
    private final class OpenNodes {
        private final int field;
        private final Offers offers;
        private final SearchQuestion question;
        private final int[] positions;
        private final int[] openRooms;
        private final long[] starts;
        private int count;
        private @Nullable Bound bound;

        OpenNodes(int field, SearchQuestion question) {
            this.field = field;
            this.offers = offers(field);
            this.question = question;
            int[] fieldRooms = Objects.requireNonNull(rooms().get(field));
            this.positions = new int[fieldRooms.length];
            this.openRooms = new int[positions.length];
            this.starts = new long[positions.length];
            SlotTerms terms = question.terms();
            long[] first = offers.with(question.restored()).firstStarts();
            Figure figure = question.criterion().figure();
            long mostOfOne = question.mostOfOne(gang, one -> least(one, field).one);
            for (int i = 0; i < positions.length; i++) {
                long start = first == null ? terms.earliest() : Math.max(first[i], terms.earliest());
                if (start <= terms.latest()
                        && start <= terms.deadline() - offers.duration(i)
                        && (mostOfOne == Long.MAX_VALUE || offers.figure(figure, i) <= mostOfOne)) {
                    positions[count] = i;
                    openRooms[count] = fieldRooms[i];
                    starts[count++] = start;
                }
            }
        }

        /** Returns whether there may be a window that is better than the best so far. */
        boolean arePromising(Found found) {
            bound = bound(found);
            int order = bound == null ? 1 : bound.compareTo(found);
            return order < 0
                    || (order == 0
                            && (gang.topology().isAnywhere()
                                    || room(field, question, found.window.start()) < found.room));
        }

        /** Searches the seconds in which a window may be better. Few nodes are searched without further preparation. */
        SearchAnswer search(Found found, FieldSearcher searcher) {
            SearchQuestion soonQuestion = question.with(
                    question.terms().within(lastStart(found), question.terms().deadline()));
            return positions.length > FEW || !gang.takesAnyPlaces()
                    ? searcher.best(field, soonQuestion)
                    : search.best(
                            SearchField.of(gang, List.of(offers.at(Arrays.copyOf(positions, count)))), soonQuestion);
        }

        /** Returns the last start of a window that may be better. Where none has a better value, none starts later. */
        private long lastStart(Found found) {
            if (question.criterion() == Criterion.VALUE) {
                long left = found.value - openLeast(Figure.COST).sum;
                return gang.valueOfTime().lastEnd(gang.arrival(), Math.max(0, left));
            }
            boolean isWorth = Objects.requireNonNull(bound).value < found.value;
            return isWorth ? question.terms().latest() : found.window.start();
        }

        /** Returns the bounds next to a window that was found elsewhere, or null if there is no window. */
        private @Nullable Bound bound(Found found) {
            long start = start(starts, openRooms, count, question.terms().earliest());
            if (start == Long.MAX_VALUE) {
                return null;
            }
            long value = value(question, start, this::openLeast);
            if (value != found.value || start != found.window.start()) {
                return new Bound(field, value, start, Long.MIN_VALUE, true);
            }
            // Only a window that starts in that second can be as good, so that its cost is known.
            long[] costs = new long[count];
            int[] rooms = new int[count];
            int open = 0;
            for (int k = 0; k < count; k++) {
                if (starts[k] <= start) {
                    rooms[open] = openRooms[k];
                    costs[open++] = offers.cost(positions[k], start);
                }
            }
            Least cost = Least.of(costs, rooms, open, gang.size());
            return cost == null ? null : new Bound(field, value, start, cost.sum, true);
        }

        private Least openLeast(Figure figure) {
            long[] figures = new long[count];
            for (int k = 0; k < count; k++) {
                figures[k] = offers.figure(figure, positions[k]);
            }
            return Objects.requireNonNull(Least.of(figures, Arrays.copyOf(openRooms, count), count, gang.size()));
        }
    }
}
