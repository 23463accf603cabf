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
 * Looks at the promising nodes first: few of them have the best window by most criteria, as a {@link Shortlist} proves.
 * Shortlists grow until that is settled. Safe for threads.
 */
final class NodeShortlists {
    /** What a shortlist is for. */
    private record Asked(int field, Criterion criterion, int size, long earliest, long latest) {}

    /** How many parts of the time, each longer than the one before, are looked at for a window that is as good. */
    private static final int LOOKS_ON = 2;

    /** The cheapest window, where prices do not move, is looked for on so small a part of the first nodes first. */
    private static final int FEWEST_PART = 8;

    /** Nodes on which a pod adds no more than this to a criterion; null: the least of all. */
    private record LikeFigures(
            int field, Criterion criterion, @Nullable Long most) {}

    /** The same nodes, with the most of the figure that a pod adds on any of them, and its least cost. */
    private record LikeNodes(SearchField nodes, long figure, long cost) {}

    private final Gang gang;
    private final List<SearchField> fields;
    private final FieldSearch passes;
    private final NearFuture future;
    private final int firstNodes;
    private final int fewestNodes;
    private final Map<Asked, Shortlist> shortlists = new HashMap<>();
    private final Map<LikeFigures, LikeNodes> alike = new HashMap<>();

    /** Of what was asked for last. */
    private @Nullable ValueBounds bounds;

    private @Nullable Asked bounded;

    /** For one gang whose pods all ask for the same, on these fields. */
    NodeShortlists(Gang gang, List<SearchField> fields, FieldSearch passes, NearFuture future, int firstNodes) {
        this.gang = gang;
        this.fields = fields;
        this.passes = passes;
        this.future = future;
        this.firstNodes = firstNodes;
        this.fewestNodes = Math.max(1, firstNodes / FEWEST_PART);
    }

    /** Looks for a window as good as any can be, then as good as the last one, then at the promising nodes first. */
    SearchAnswer best(int field, SearchQuestion question) {
        SearchAnswer first = asGoodAsCanBe(field, question);
        if (first != null && first.window() != null) {
            return first;
        }
        if (isUsefulOnlyAsGoodAsCanBe(field, question)) {
            return first == null ? SearchAnswer.NOTHING : first;
        }
        SearchAnswer again = first == null ? asGoodAsBefore(field, question) : first;
        return again.window() == null ? again.then(promising(field, question)) : again;
    }

    /** Whether any other window is too bad to be of use. */
    private boolean isUsefulOnlyAsGoodAsCanBe(int field, SearchQuestion question) {
        return question.criterion().isOfShape()
                && question.most() < Long.MAX_VALUE
                && question.most() <= least(alike(new LikeFigures(field, question.criterion(), null)), question);
    }

    /** No window has a lower value than one whose pods are all on these nodes, the least ones of all. */
    private long least(LikeNodes nodes, SearchQuestion question) {
        return question.criterion().kind() == Criterion.Kind.SUM ? nodes.figure * gang.size() : nodes.figure;
    }

    /**
     * By a criterion that neither the start nor the cost decides: the earliest window on those nodes alone of which
     * every window is as good as any can be. By the runtime these are the nodes on which a pod takes no longer than any
     * window must at least, which is what the last one took if there is one; by a sum those on which a pod adds the
     * least of all, if the last window had no pod on another. Every window that is as good has all its pods on them,
     * and every window on them is as good, so the best is the one of these that starts first, then costs least, as by
     * the start. No window as good starts before the last one did.
     *
     * @return no window: there is none as good; null: it is not known what they have in common, or they cost too much
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
                nodes.nodes,
                new SearchQuestion(
                        Criterion.START,
                        terms,
                        question.budget(),
                        question.vacancy(),
                        Long.MAX_VALUE,
                        EarlierAnswers.none()));
    }

    /** They are kept, as most searches ask for the same ones again. */
    private synchronized LikeNodes alike(LikeFigures figures) {
        return alike.computeIfAbsent(figures, this::lookedUp);
    }

    private LikeNodes lookedUp(LikeFigures figures) {
        Offers all = Offers.of(fields.get(figures.field).offers());
        Criterion.Figure figure = figures.criterion.figure();
        long most = figures.most == null ? all.least(figure) : figures.most;
        int[] positions = all.within(figure, most);
        long cost = Long.MAX_VALUE;
        for (int i : positions) {
            cost = Math.min(cost, all.leastCost(i));
        }
        return new LikeNodes(SearchField.of(gang, List.of(all.at(positions))), most, cost);
    }

    /**
     * Goes on from the last window where the value does not say when a window starts. Room has only gone since: none
     * has a lower value, and none of the same starts before the last one did. So the first one from there on of the
     * same value is the best, if all its like lie on the nodes that are looked at: on a shortlist without which a
     * window has a higher value.
     *
     * @return no window: there is none in the seconds that were looked at, or it is not known
     */
    private SearchAnswer asGoodAsBefore(int field, SearchQuestion question) {
        EarlierAnswers earlier = question.earlier();
        SearchField nodes = earlier.goOn() && !question.criterion().isOfTime() ? holding(field, question) : null;
        if (nodes == null) {
            return SearchAnswer.NOTHING;
        }
        long part = Math.max(1, (question.terms().latest() - question.terms().earliest()) / NearFuture.FIRST_PART);
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int look = 0; look < LOOKS_ON && answer.window() == null; look++) {
            SlotTerms soon = question.terms().between(earlier.since(), earlier.since() + part);
            SearchAnswer here = passes.bestAsGood(nodes, question.with(soon).upTo(earlier.least()));
            if (here.bounded()) {
                return new SearchAnswer(null, false, answer.visited() + here.visited());
            }
            answer = answer.then(here);
            part *= FieldSearch.GROWTH;
        }
        return answer;
    }

    /** Some of many nodes on which all windows lie that are as good as the last one; null: that is no help. */
    private @Nullable SearchField holding(int field, SearchQuestion question) {
        SearchField all = fields.get(field);
        SlotTerms terms = question.terms();
        if (all.offers().size() <= firstNodes) {
            return null;
        }
        int fewest = question.criterion() == Criterion.COST ? fewestNodes : firstNodes;
        for (int size = fewest; size <= FieldSearch.GROWTH * firstNodes; size *= FieldSearch.GROWTH) {
            if (size >= all.offers().size()) {
                return all;
            }
            Shortlist nodes = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            if (nodes.leastValue() > question.earlier().least()) {
                return SearchField.of(gang, List.of(nodes.offers()));
            }
        }
        return null;
    }

    /**
     * The cheapest window where prices do not move: after the cheapest nodes more are looked at only at the seconds at
     * which these may not have been enough. A window that is found there on more nodes is better or is not taken.
     */
    private SearchAnswer cheapest(int field, SearchQuestion question) {
        SearchField all = fields.get(field);
        SlotTerms terms = question.terms();
        Comparator<Window> order = WindowSearch.order(question.criterion(), gang);
        SearchQuestion open = question;
        SearchAnswer answer = SearchAnswer.NOTHING;
        int first = Math.max(fewestNodes, question.earlier().fewest());
        for (int size = first; size < all.offers().size(); size *= FieldSearch.GROWTH) {
            Shortlist nodes = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            LeastCost search = new LeastCost(nodes.nextValue());
            answer = answer.or(passes.best(SearchField.of(gang, List.of(nodes.offers())), open, search), order);
            Window window = answer.window();
            Interval seconds = search.open();
            if (seconds == null || (window != null && nodes.settles(window))) {
                return answer;
            }
            open = open.with(open.terms().between(seconds.start(), seconds.end() - 1));
            if (size == first && isMostOf(terms, open.terms())) {
                question.earlier().takes(size * FieldSearch.GROWTH);
            }
            open = window == null ? open : open.noWorseThan(window, gang);
        }
        return answer.or(passes.best(all, open), order);
    }

    /**
     * The window that is worth most where prices do not move: what is found on the most promising nodes in the near
     * future says until when a window may start that is worth no less, since time has its value, and on which nodes its
     * pods may be. If these are many, more of the promising ones are looked at first. A window that is found there on
     * more nodes is better or is not taken.
     */
    private SearchAnswer worthMost(int field, SearchQuestion question) {
        SearchField all = fields.get(field);
        SlotTerms terms = question.terms();
        ValueBounds bounds = bounds(field, terms.earliest(), terms.latest());
        Comparator<Window> order = WindowSearch.order(question.criterion(), gang);
        SearchQuestion open = question;
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int size = fewestNodes; size < all.offers().size(); size *= FieldSearch.GROWTH) {
            Shortlist nodes = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            if (nodes.leastValue() < question.earlier().least()) {
                continue;
            }
            SearchField chosen = SearchField.of(gang, List.of(nodes.offers()));
            answer = answer.window() == null
                    ? answer.then(future.soonWorth(chosen, question, bounds))
                    : answer.or(passes.best(chosen, open), order);
            Window window = answer.window();
            if (window == null) {
                continue;
            }
            if (nodes.settles(window)) {
                return answer;
            }
            long value = window.value(question.criterion(), gang);
            open = question.with(terms.within(bounds.lastStart(value, nodes.leastValue()), terms.deadline()))
                    .noWorseThan(window, gang);
            int[] some = bounds.within(value);
            if (some.length <= FieldSearch.GROWTH * size) {
                SearchField others =
                        SearchField.of(gang, List.of(Offers.of(all.offers()).at(some)));
                return answer.or(passes.bestAsGood(others, open), order);
            }
        }
        return answer.window() == null
                ? answer.then(future.best(all, question))
                : answer.or(passes.best(all, open), order);
    }

    /** Whether a look at so much of the time on many nodes is no less than one at all of it. */
    private static boolean isMostOf(SlotTerms all, SlotTerms some) {
        return (some.latest() - some.earliest()) / FieldSearch.GROWTH
                >= (all.latest() - all.earliest()) / FieldSearch.GROWTH / FieldSearch.GROWTH * (FieldSearch.GROWTH - 1);
    }

    private SearchAnswer promising(int field, SearchQuestion question) {
        boolean flat = Offers.of(fields.get(field).offers()).areFlat();
        if (flat && question.criterion() == Criterion.COST) {
            return cheapest(field, question);
        }
        if (flat && question.criterion() == Criterion.VALUE) {
            return worthMost(field, question);
        }
        SearchField all = fields.get(field);
        Criterion criterion = question.criterion();
        long earliest = question.terms().earliest();
        SearchQuestion better = question;
        boolean soonest = future.isSoonest(all, criterion);
        int most = soonest
                ? Math.min(all.offers().size(), firstNodes + 1)
                : all.offers().size();
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int size = firstNodes; size < most; size *= FieldSearch.GROWTH) {
            Shortlist nodes =
                    shortlist(field, criterion, size, earliest, question.terms().latest());
            if (nodes.leastValue() < question.earlier().least()) {
                continue;
            }
            SearchField chosen = SearchField.of(gang, List.of(nodes.offers()));
            answer = answer.then(
                    criterion == Criterion.START
                            ? passes.best(chosen, question.with(question.terms().between(earliest, earliest)))
                            : bestOf(chosen, better, question));
            Window window = answer.window();
            if (window != null && nodes.settles(window)) {
                return answer;
            }
            if (window != null && criterion != Criterion.START) {
                better = better.with(nodes.better(window, better.terms())).noWorseThan(window, gang);
            }
        }
        SearchAnswer last = criterion == Criterion.START
                ? future.best(
                        all,
                        question.with(question.terms()
                                .between(
                                        Math.max(earliest, question.earlier().least()),
                                        question.terms().latest())))
                : bestOf(all, better, question);
        return answer.then(last);
    }

    /** A question that is narrower than the first one needs no search in the near future first. */
    private SearchAnswer bestOf(SearchField field, SearchQuestion question, SearchQuestion first) {
        boolean far = question.terms().equals(first.terms()) || future.isSoonest(field, question.criterion());
        return far ? future.best(field, question) : passes.best(field, question);
    }

    /** The first shortlists of each field are kept: they answer most searches. */
    private synchronized Shortlist shortlist(int field, Criterion criterion, int size, long earliest, long latest) {
        Supplier<Shortlist> made = () -> criterion == Criterion.VALUE
                ? Shortlist.ofValue(bounds(field, earliest, latest), size)
                : new Shortlist(
                        new Shortlist.Asked(fields.get(field).offers(), criterion, gang, earliest, latest), size);
        return size > FieldSearch.GROWTH * firstNodes
                ? made.get()
                : shortlists.computeIfAbsent(
                        new Asked(field, criterion, size, earliest, isOfFarStarts(criterion) ? latest : 0),
                        _ -> made.get());
    }

    /** What a window with a pod on a node is worth at least, for shortlists of all sizes; the last ones are kept. */
    private ValueBounds bounds(int field, long earliest, long latest) {
        Asked asked = new Asked(field, Criterion.VALUE, 0, earliest, latest);
        ValueBounds known = bounds;
        if (known == null || !asked.equals(bounded)) {
            known = new ValueBounds(gang, fields.get(field).offers(), earliest, latest);
            bounds = known;
            bounded = asked;
        }
        return known;
    }

    /** Whether what a node can add to the criterion depends on how late a window may start. */
    private static boolean isOfFarStarts(Criterion criterion) {
        return switch (criterion.kind()) {
            case WORTH, DISTANCE -> true;
            case TIME, LARGEST, SUM -> false;
        };
    }
}
