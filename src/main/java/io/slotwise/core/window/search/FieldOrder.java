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
import java.util.EnumMap;
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
 * <p>With n pods of which a node takes at most c, a window needs k = n / c nodes, rounded up. So it starts no earlier
 * than a pod can on the k-th node in that order. It takes no less than on the k-th fastest, and a sum has at least the
 * figures of the k least. A field is bounded twice: at first by what never changes and the first starts on its nodes,
 * and when its turn comes without the nodes that the best window so far rules out.
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

    /** The most pods on a node of each field, or 0 if the field cannot hold the gang. Null before the first request. */
    private int @Nullable [] most;

    /** Bounds of the figures of each field. */
    private final Map<Figure, Least[]> least = new EnumMap<>(Figure.class);

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
        /** Given the figure of a pod on each node, which are moved, and the most pods on a node. Null if too few. */
        static @Nullable Least of(long[] figures, int pods, int most) {
            int nodes = Math.ceilDiv(pods, most);
            if (nodes > figures.length) {
                return null;
            }
            long last = Quickselect.smallest(figures, nodes);
            long one = last;
            long others = -last;
            for (int i = 0; i < nodes; i++) {
                one = Math.min(one, figures[i]);
                others += figures[i];
            }
            return new Least(one, last, most * others + (pods - (long) most * (nodes - 1)) * last);
        }
    }

    /** Lower bounds of a field's windows. */
    private record Bound(int field, long value, long start, long cost) implements Comparable<Bound> {
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

    FieldOrder(
            Gang gang, List<SearchField> fields, FieldSearch search, Supplier<Optional<WindowSearch>> anywhere) {
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
            SearchAnswer next;
            if (found == null || !gang.isUniform()) {
                next = searcher.best(bound.field, openQuestion);
            } else if (bound.compareTo(found) > 0) {
                return answer;
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
                    ? bound(field, question)
                    : new Bound(field, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
            if (bound != null) {
                bounds.add(bound);
            }
        }
        return new PriorityQueue<>(bounds);
    }

    private @Nullable Bound bound(int field, SearchQuestion question) {
        int onNode = most()[field];
        if (onNode == 0) {
            return null;
        }
        SlotTerms terms = question.terms();
        Least leastDuration = least(Figure.DURATION, field);
        long[] first = offers(field).with(question.restored()).firstStarts();
        Least leastStart = first == null ? null : Least.of(first.clone(), gang.size(), onNode);
        long start = leastStart == null ? terms.earliest() : Math.max(terms.earliest(), leastStart.largest);
        long cost = least(Figure.COST, field).sum;
        if (start > terms.latest()
                || start > terms.deadline() - leastDuration.largest
                || cost > question.budget().microSecondsPerHour()) {
            return null;
        }
        long value = value(question, start, start + leastDuration.largest, figure -> least(figure, field));
        return value > question.most() ? null : new Bound(field, value, start, cost);
    }

    private long value(SearchQuestion question, long start, long end, Function<Figure, Least> figures) {
        Criterion criterion = question.criterion();
        return switch (criterion) {
            case START -> start;
            case FINISH -> end;
            case RUNTIME -> figures.apply(Figure.DURATION).largest;
            case COST, PROCESSOR_TIME, ENERGY -> figures.apply(criterion.figure()).sum;
            case VALUE -> Window.sum(figures.apply(Figure.COST).sum, gang.delay(end));
            case PREFERENCE ->
                Window.sum(
                        gang.preferences().costError(figures.apply(Figure.COST).sum),
                        gang.preferences()
                                .leastTimeError(
                                        end - start, start, question.terms().latest()));
        };
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

    private synchronized int[] most() {
        if (most == null) {
            most = new int[fields.size()];
            for (int field = 0; field < most.length; field++) {
                Offers offers = offers(field);
                long room = 0;
                for (int i = 0; i < offers.size(); i++) {
                    most[field] = Math.max(most[field], offers.most(i));
                    room += offers.most(i);
                }
                most[field] = room < gang.size() ? 0 : most[field];
            }
        }
        return most;
    }

    /** Precondition: the field can hold the gang. */
    private synchronized Least least(Figure figure, int field) {
        Least[] all = least.computeIfAbsent(figure, _ -> new Least[fields.size()]);
        Least knownLeast = all[field];
        if (knownLeast == null) {
            Offers offers = offers(field);
            long[] figures = new long[offers.size()];
            Arrays.setAll(figures, i -> offers.figure(figure, i));
            knownLeast = Objects.requireNonNull(Least.of(figures, gang.size(), most()[field]));
            all[field] = knownLeast;
        }
        return knownLeast;
    }

    /** The nodes of a field on which a pod may start within the terms, and that can be part of a useful window. */
    private final class OpenNodes {
        private final int field;
        private final Offers offers;
        private final SearchQuestion question;
        private final int onNode;
        private final int[] positions;
        private final long[] starts;
        private int count;
        private @Nullable Bound bound;

        OpenNodes(int field, SearchQuestion question) {
            this.field = field;
            this.offers = offers(field);
            this.question = question;
            this.onNode = most()[field];
            this.positions = new int[offers.size()];
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
            SearchQuestion soonQuestion = question.with(question.terms()
                    .within(lastStart(found), question.terms().deadline()));
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
            Least first = Least.of(Arrays.copyOf(starts, count), gang.size(), onNode);
            if (first == null) {
                return null;
            }
            long start = first.largest;
            long end = start + openLeast(Figure.DURATION).largest;
            long value = value(question, start, end, this::openLeast);
            if (value != found.value || start != found.window.start()) {
                return new Bound(field, value, start, Long.MIN_VALUE);
            }
            // Only a window that starts in that second can be as good, so that its cost is known.
            long[] costs = new long[count];
            int open = 0;
            for (int k = 0; k < count; k++) {
                if (starts[k] <= start) {
                    costs[open++] = offers.cost(positions[k], start);
                }
            }
            Least cost = Least.of(Arrays.copyOf(costs, open), gang.size(), onNode);
            return cost == null ? null : new Bound(field, value, start, cost.sum);
        }

        private Least openLeast(Figure figure) {
            long[] figures = new long[count];
            Arrays.setAll(figures, k -> offers.figure(figure, positions[k]));
            return Objects.requireNonNull(Least.of(figures, gang.size(), onNode));
        }
    }
}
