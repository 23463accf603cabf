package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.shortlist.Shortlist;
import io.slotwise.core.window.shortlist.ValueBounds;
import io.slotwise.core.window.sweep.LeastCost;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches promising nodes first: by most criteria few nodes have the best window, as a {@link Shortlist} proves.
 * Shortlists grow until the proof succeeds. Thread-safe.
 */
final class NodeShortlists {
    /** The key of a shortlist. */
    private record Asked(int field, Criterion criterion, int size, long earliest, long latest) {}

    /** The number of growing parts of the time in which a window as good as the last one is searched. */
    private static final int LOOKS_ON = 2;

    /** The divisor of the first nodes on which the cheapest window is searched first, at constant prices. */
    private static final int FEWEST_PART = 8;

    /** The nodes on which a pod adds no more than {@code most} to a criterion, or the least of all if null. */
    private record LikeFigures(
            int field, Criterion criterion, @Nullable Long most) {}

    /** Such nodes, with the most of the figure that a pod adds on any of them, and its least cost. */
    private record LikeNodes(SearchField field, long figure, long cost) {}

    private final Gang gang;
    private final List<SearchField> fields;
    private final FieldSearch search;
    private final NearFuture future;
    private final int firstNodes;
    private final int fewestNodes;
    private final Map<Asked, Shortlist> shortlists = new HashMap<>();
    private final Map<LikeFigures, LikeNodes> alike = new HashMap<>();

    /** The bounds that were computed last. */
    private @Nullable ValueBounds bounds;

    private @Nullable Asked askedOfBounds;

    NodeShortlists(Gang gang, List<SearchField> fields, FieldSearch search, NearFuture future, int firstNodes) {
        this.gang = gang;
        this.fields = fields;
        this.search = search;
        this.future = future;
        this.firstNodes = firstNodes;
        this.fewestNodes = Math.max(1, firstNodes / FEWEST_PART);
    }

    /** Searches a window as good as possible, then one as good as the last, then the promising nodes. */
    SearchAnswer best(int field, SearchQuestion question) {
        SearchAnswer first = asGoodAsCanBe(field, question);
        if (first != null && first.window() != null) {
            return first;
        }
        if (isUsefulOnlyAsGoodAsCanBe(field, question)) {
            return first == null ? SearchAnswer.NOTHING : first;
        }
        SearchAnswer answer = first == null ? asGoodAsBefore(field, question) : first;
        return answer.window() == null ? answer.then(promising(field, question)) : answer;
    }

    private boolean isUsefulOnlyAsGoodAsCanBe(int field, SearchQuestion question) {
        return question.criterion().isOfShape()
                && question.most() < Long.MAX_VALUE
                && question.most() <= least(alike(new LikeFigures(field, question.criterion(), null)), question);
    }

    /** Returns a lower bound of the value: that of a window with all pods on the given nodes, the least of all. */
    private long least(LikeNodes nodes, SearchQuestion question) {
        return question.criterion().kind() == Criterion.Kind.SUM ? nodes.figure * gang.size() : nodes.figure;
    }

    /**
     * Returns the earliest window on the nodes of which every window is as good as possible, by a criterion that
     * neither the start nor the cost decides. For the runtime these are the nodes on which a pod takes no longer than
     * any window must at least, which is the runtime of the last window if there is one. For a sum these are the nodes
     * on which a pod adds the least of all, if the last window had all its pods there. Every window as good has all its
     * pods on these nodes, and every window on them is as good. So the best is the one that starts first, then costs
     * least. No window as good starts before the last one did.
     *
     * @return no window if there is none as good, or null if the nodes are not known or cost too much
     */
    private @Nullable SearchAnswer asGoodAsCanBe(int field, SearchQuestion question) {
        Criterion criterion = question.criterion();
        EarlierAnswers earlier = question.earlier();
        boolean few = fields.get(field).offers().size() <= firstNodes && question.most() == Long.MAX_VALUE;
        if (!criterion.isOfShape() || few) {
            return null;
        }
        LikeNodes nodes = alike(new LikeFigures(field, criterion, null));
        long value = least(nodes, question);
        if (criterion.kind() == Criterion.Kind.LARGEST && earlier.least() > value) {
            value = earlier.least();
            nodes = alike(new LikeFigures(field, criterion, value));
        }
        boolean tooDear = nodes.cost > question.budget().microSecondsPerHour() / gang.size();
        if (earlier.least() > value || question.most() < value || tooDear) {
            return null;
        }
        SlotTerms terms = earlier.least() == value ? question.terms().from(earlier.since()) : question.terms();
        return future.best(
                nodes.field,
                new SearchQuestion(
                        Criterion.START,
                        terms,
                        question.budget(),
                        question.restored(),
                        Long.MAX_VALUE,
                        EarlierAnswers.none()));
    }

    private synchronized LikeNodes alike(LikeFigures figures) {
        return alike.computeIfAbsent(figures, this::lookedUp);
    }

    private LikeNodes lookedUp(LikeFigures figures) {
        Offers offers = Offers.of(fields.get(figures.field).offers());
        Criterion.Figure figure = figures.criterion.figure();
        long most = figures.most == null ? offers.least(figure) : figures.most;
        int[] positions = offers.within(figure, most);
        long cost = Long.MAX_VALUE;
        for (int i : positions) {
            cost = Math.min(cost, offers.leastCost(i));
        }
        return new LikeNodes(SearchField.of(gang, List.of(offers.at(positions))), most, cost);
    }

    /**
     * Continues from the last window where the value does not determine the start. Room has only decreased since. So no
     * window has a lower value, and none of the same value starts before the last one did. Hence the first window from
     * there on of the same value is the best, if all windows of that value lie on the searched nodes: a shortlist
     * without which a window has a higher value.
     *
     * @return no window if there is none in the searched seconds, or if it is not known
     */
    private SearchAnswer asGoodAsBefore(int field, SearchQuestion question) {
        EarlierAnswers earlier = question.earlier();
        SearchField searchField = earlier.goOn() && !question.criterion().isOfTime() ? holding(field, question) : null;
        if (searchField == null) {
            return SearchAnswer.NOTHING;
        }
        long part = Math.max(1, (question.terms().latest() - question.terms().earliest()) / NearFuture.FIRST_PART);
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int look = 0; look < LOOKS_ON && answer.window() == null; look++) {
            SlotTerms soonestTerms = question.terms().between(earlier.since(), earlier.since() + part);
            SearchAnswer nextAnswer =
                    search.bestAsGood(searchField, question.with(soonestTerms).upTo(earlier.least()));
            if (nextAnswer.bounded()) {
                return new SearchAnswer(null, false, answer.visited() + nextAnswer.visited());
            }
            answer = answer.then(nextAnswer);
            part *= FieldSearch.GROWTH;
        }
        return answer;
    }

    /** Returns nodes that hold all windows as good as the last one, or null if that does not help. */
    private @Nullable SearchField holding(int field, SearchQuestion question) {
        SearchField wholeField = fields.get(field);
        SlotTerms terms = question.terms();
        if (wholeField.offers().size() <= firstNodes) {
            return null;
        }
        int fewest = question.criterion() == Criterion.COST ? fewestNodes : firstNodes;
        for (int size = fewest; size <= FieldSearch.GROWTH * firstNodes; size *= FieldSearch.GROWTH) {
            if (size >= wholeField.offers().size()) {
                return wholeField;
            }
            Shortlist shortlist = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            if (shortlist.leastValue() > question.earlier().least()) {
                return SearchField.of(gang, List.of(shortlist.offers()));
            }
        }
        return null;
    }

    /**
     * Returns the cheapest window where prices do not move. After the cheapest nodes, more nodes are searched only at
     * the seconds at which the cheapest may not have been enough. A window found there is taken only if it is better.
     */
    private SearchAnswer cheapest(int field, SearchQuestion question) {
        SearchField wholeField = fields.get(field);
        SlotTerms terms = question.terms();
        Comparator<Window> order = WindowSearch.order(question.criterion(), gang);
        SearchQuestion openQuestion = question;
        SearchAnswer answer = SearchAnswer.NOTHING;
        int first = Math.max(fewestNodes, question.earlier().fewest());
        for (int size = first; size < wholeField.offers().size(); size *= FieldSearch.GROWTH) {
            Shortlist shortlist = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            LeastCost leastCost = new LeastCost(shortlist.nextValue());
            answer = answer.or(
                    search.best(SearchField.of(gang, List.of(shortlist.offers())), openQuestion, leastCost), order);
            Window window = answer.window();
            Interval interval = leastCost.open();
            if (interval == null || (window != null && shortlist.settles(window))) {
                return answer;
            }
            openQuestion = openQuestion.with(openQuestion.terms().between(interval.start(), interval.end() - 1));
            if (size == first && isMostOf(terms, openQuestion.terms())) {
                question.earlier().takes(size * FieldSearch.GROWTH);
            }
            openQuestion = window == null ? openQuestion : openQuestion.noWorseThan(window, gang);
        }
        return answer.or(search.best(wholeField, openQuestion), order);
    }

    /**
     * Returns the window of the best value where prices do not move. The result on the most promising nodes in the near
     * future bounds the starts and the nodes of all windows that are worth no less, since time has its value. If these
     * nodes are many, more of the promising ones are searched first. A window found there is taken only if it is
     * better.
     */
    private SearchAnswer worthMost(int field, SearchQuestion question) {
        SearchField wholeField = fields.get(field);
        SlotTerms terms = question.terms();
        ValueBounds bounds = bounds(field, terms.earliest(), terms.latest());
        Comparator<Window> order = WindowSearch.order(question.criterion(), gang);
        SearchQuestion openQuestion = question;
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int size = fewestNodes; size < wholeField.offers().size(); size *= FieldSearch.GROWTH) {
            Shortlist shortlist = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            if (shortlist.leastValue() < question.earlier().least()) {
                continue;
            }
            SearchField chosenField = SearchField.of(gang, List.of(shortlist.offers()));
            answer = answer.window() == null
                    ? answer.then(future.soonWorth(chosenField, question, bounds))
                    : answer.or(search.best(chosenField, openQuestion), order);
            Window window = answer.window();
            if (window == null) {
                continue;
            }
            if (shortlist.settles(window)) {
                return answer;
            }
            long value = window.value(question.criterion(), gang);
            openQuestion = question.with(
                            terms.within(bounds.lastStart(value, shortlist.leastValue()), terms.deadline()))
                    .noWorseThan(window, gang);
            int[] some = bounds.within(value);
            if (some.length <= FieldSearch.GROWTH * size) {
                SearchField otherField = SearchField.of(
                        gang, List.of(Offers.of(wholeField.offers()).at(some)));
                return answer.or(search.bestAsGood(otherField, openQuestion), order);
            }
        }
        return answer.window() == null
                ? answer.then(future.best(wholeField, question))
                : answer.or(search.best(wholeField, openQuestion), order);
    }

    /** Returns whether searching so much of the time on many nodes costs as much as searching all of it. */
    private static boolean isMostOf(SlotTerms terms, SlotTerms selectedTerms) {
        return (selectedTerms.latest() - selectedTerms.earliest()) / FieldSearch.GROWTH
                >= (terms.latest() - terms.earliest())
                        / FieldSearch.GROWTH
                        / FieldSearch.GROWTH
                        * (FieldSearch.GROWTH - 1);
    }

    private SearchAnswer promising(int field, SearchQuestion question) {
        boolean flat = Offers.of(fields.get(field).offers()).areFlat();
        if (flat && question.criterion() == Criterion.COST) {
            return cheapest(field, question);
        }
        if (flat && question.criterion() == Criterion.VALUE) {
            return worthMost(field, question);
        }
        SearchField wholeField = fields.get(field);
        Criterion criterion = question.criterion();
        long earliest = question.terms().earliest();
        SearchQuestion betterQuestion = question;
        boolean soonest = future.isSoonest(wholeField, criterion);
        int most = soonest
                ? Math.min(wholeField.offers().size(), firstNodes + 1)
                : wholeField.offers().size();
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int size = firstNodes; size < most; size *= FieldSearch.GROWTH) {
            Shortlist shortlist =
                    shortlist(field, criterion, size, earliest, question.terms().latest());
            if (shortlist.leastValue() < question.earlier().least()) {
                continue;
            }
            SearchField searchField = SearchField.of(gang, List.of(shortlist.offers()));
            answer = answer.then(
                    criterion == Criterion.START
                            ? search.best(
                                    searchField, question.with(question.terms().between(earliest, earliest)))
                            : bestOf(searchField, betterQuestion, question));
            Window window = answer.window();
            if (window != null && shortlist.settles(window)) {
                return answer;
            }
            if (window != null && criterion != Criterion.START) {
                betterQuestion = betterQuestion
                        .with(shortlist.better(window, betterQuestion.terms()))
                        .noWorseThan(window, gang);
            }
        }
        SearchAnswer last = criterion == Criterion.START
                ? future.best(
                        wholeField,
                        question.with(question.terms()
                                .between(
                                        Math.max(earliest, question.earlier().least()),
                                        question.terms().latest())))
                : bestOf(wholeField, betterQuestion, question);
        return answer.then(last);
    }

    /** Searches a field. A question narrower than the first needs no search in the near future first. */
    private SearchAnswer bestOf(SearchField field, SearchQuestion question, SearchQuestion first) {
        boolean far = question.terms().equals(first.terms()) || future.isSoonest(field, question.criterion());
        return far ? future.best(field, question) : search.best(field, question);
    }

    /** Returns a shortlist. The first ones of each field are cached: they answer most searches. */
    private synchronized Shortlist shortlist(int field, Criterion criterion, int size, long earliest, long latest) {
        Supplier<Shortlist> shortlist = () -> criterion == Criterion.VALUE
                ? Shortlist.ofValue(bounds(field, earliest, latest), size)
                : new Shortlist(
                        new Shortlist.Asked(fields.get(field).offers(), criterion, gang, earliest, latest), size);
        return size > FieldSearch.GROWTH * firstNodes
                ? shortlist.get()
                : shortlists.computeIfAbsent(
                        new Asked(field, criterion, size, earliest, isOfFarStarts(criterion) ? latest : 0),
                        _ -> shortlist.get());
    }

    /** Returns what a window with a pod on a node is worth at least, for all shortlists. The last bounds are cached. */
    private ValueBounds bounds(int field, long earliest, long latest) {
        Asked asked = new Asked(field, Criterion.VALUE, 0, earliest, latest);
        ValueBounds valueBounds = bounds;
        if (valueBounds == null || !asked.equals(askedOfBounds)) {
            valueBounds = new ValueBounds(gang, fields.get(field).offers(), earliest, latest);
            bounds = valueBounds;
            askedOfBounds = asked;
        }
        return valueBounds;
    }

    /** Returns whether what a node can add to the criterion depends on how late a window may start. */
    private static boolean isOfFarStarts(Criterion criterion) {
        return switch (criterion.kind()) {
            case WORTH, DISTANCE -> true;
            case TIME, LARGEST, SUM -> false;
        };
    }
}
