package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.shortlist.SoonestNodes;
import io.slotwise.core.window.shortlist.ValueBounds;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Searches the near future first, and then as far as a better window may lie. Most windows start soon, so most seconds
 * of the horizon need not be searched. The results are the same.
 *
 * @param firstNodes a multiple of the number of nodes from which on nodes are searched by when pods can start
 */
record NearFuture(Gang gang, FieldSearch search, int firstNodes, int firstPart) {
    /** The fraction of the time that is searched first, as a divisor. */
    static final int FIRST_PART = 64;

    /** The divisor of the first nodes that are searched first, by soonest start; at least some for each pod. */
    private static final int SOONEST_PART = 8;

    SearchAnswer best(SearchField field, SearchQuestion question) {
        return switch (question.criterion().kind()) {
            case TIME -> soonest(field, question);
            case WORTH -> soonWorth(field, question);
            case DISTANCE -> aroundTheStart(field, question);
            case LARGEST, SUM -> search.best(field, question);
        };
    }

    /** Searches the near future first. The result bounds the start of any window that is worth no less. */
    private SearchAnswer soonWorth(SearchField field, SearchQuestion question) {
        return soonWorth(field, question, window -> {
            Offers offers = Offers.of(field.offers());
            long least = offers.least(Criterion.Figure.COST);
            long left = window.value(Criterion.VALUE, gang) - least * gang.size();
            return gang.valueOfTime().lastEnd(gang.arrival(), Math.max(0, left));
        });
    }

    /**
     * Searches the near future first too. Bounds on nodes, including these, tell until when a window of no less worth
     * can start.
     */
    SearchAnswer soonWorth(SearchField field, SearchQuestion question, ValueBounds bounds) {
        return soonWorth(
                field, question, window -> bounds.lastStart(window.value(Criterion.VALUE, gang), bounds.least()));
    }

    private SearchAnswer soonWorth(SearchField field, SearchQuestion question, ToLongFunction<Window> lastStart) {
        SlotTerms terms = question.terms();
        long near = Math.min(
                terms.latest(), terms.earliest() + Math.max(1, (terms.latest() - terms.earliest()) / firstPart));
        if (gang.valueOfTime().isNone() || near == terms.latest()) {
            return search.best(field, question);
        }
        SearchAnswer answer = search.best(field, question.with(terms.within(near, terms.deadline())));
        Window window = answer.window();
        if (window == null) {
            return answer.then(search.best(field, question));
        }
        long last = Math.min(terms.latest(), lastStart.applyAsLong(window));
        return last <= near
                ? answer
                : answer.then(search.best(
                        field,
                        question.with(terms.within(last, terms.deadline())).noWorseThan(window, gang)));
    }

    /** Searches around the preferred start first. The result bounds the start of any window that is no further away. */
    private SearchAnswer aroundTheStart(SearchField field, SearchQuestion question) {
        SlotTerms terms = question.terms();
        Preferred<Long> preferredStart = gang.preferences().preferredStart();
        long part = Math.max(1, (terms.latest() - terms.earliest()) / firstPart);
        if (preferredStart == null || terms.latest() - terms.earliest() <= 2 * part) {
            return search.best(field, question);
        }
        long middle = Math.clamp(preferredStart.reference(), terms.earliest(), terms.latest());
        SlotTerms nearestTerms = terms.between(middle - part, middle + part);
        SearchAnswer answer = search.best(field, question.with(nearestTerms));
        Window window = answer.window();
        if (window == null) {
            return answer.then(search.best(field, question));
        }
        SlotTerms openTerms = gang.preferences()
                .starts(window.distance(gang))
                .map(interval -> terms.between(interval.start(), interval.end() - 1))
                .orElse(terms);
        return openTerms.earliest() >= nearestTerms.earliest() && openTerms.latest() <= nearestTerms.latest()
                ? answer
                : answer.then(search.best(field, question.with(openTerms).noWorseThan(window, gang)));
    }

    /** Searches the nodes first on which pods start, or end, soonest. No other node is part of a window as good. */
    private SearchAnswer soonest(SearchField field, SearchQuestion question) {
        boolean byEnd = question.criterion() == Criterion.FINISH;
        SoonestNodes nodes = gang.takesAnyPlaces() && isSoonest(field, question.criterion())
                ? SoonestNodes.of(Offers.of(field.offers()).with(question.restored()), question.terms(), byEnd)
                : null;
        if (nodes == null) {
            return stepByStep(field, question);
        }
        int size = Math.max(firstNodes / SOONEST_PART, FieldSearch.GROWTH * gang.size());
        SearchAnswer answer = atOnce(field, question, nodes, size);
        return answer.window() == null ? answer.then(byOpening(field, question, nodes, size)) : answer;
    }

    /**
     * Searches more and more nodes, in the order in which they open, and more and more of the time. A window that
     * starts (ends) by the bound of the searched nodes is the best. A later window bounds what must still be searched.
     */
    private SearchAnswer byOpening(SearchField field, SearchQuestion question, SoonestNodes nodes, int first) {
        boolean byEnd = question.criterion() == Criterion.FINISH;
        SlotTerms terms = question.terms();
        long part = Math.max(1, (terms.latest() - terms.earliest()) / firstPart);
        long reach = Long.MIN_VALUE;
        SearchAnswer answer = SearchAnswer.NOTHING;
        boolean all = false;
        for (int size = first; ; size = all ? size : size * FieldSearch.GROWTH) {
            long bound = nodes.bound(size);
            all = bound == SoonestNodes.ALL;
            long last = byEnd ? terms.deadline() : terms.latest();
            long soon = Math.min(last, all ? Math.max(reach, terms.earliest() + part) : Math.max(reach, bound));
            SlotTerms localTerms = byEnd ? terms.within(terms.latest(), soon) : terms.within(soon, terms.deadline());
            SearchField searchField = SearchField.of(gang, List.of(nodes.until(bound, field.offers())));
            SearchAnswer next = search.best(
                    searchField
                            .search(gang, localTerms, question.restored())
                            .between(question.earlier().least(), question.most()),
                    question);
            answer = answer.then(next);
            Window window = next.window();
            if (all && (window != null || soon == last)) {
                return answer;
            }
            if (window != null) {
                long value = byEnd ? window.end() : window.start();
                if (value <= bound) {
                    return answer;
                }
                terms = byEnd ? terms.within(terms.latest(), value) : terms.within(value, terms.deadline());
                nodes.leaveOutAfter(value);
                reach = value;
            } else {
                terms = byEnd ? terms : terms.from(Math.min(bound, soon) + 1);
                reach = Math.max(soon, terms.earliest()) + part;
                part *= FieldSearch.GROWTH;
            }
        }
    }

    /**
     * Searches only the cheapest nodes if many are open as soon as any window can start (end). At second S at least as
     * many nodes are open as the gang needs, and earlier fewer, so no window starts (ends) earlier. Consider a window
     * that starts at S, or for the finish, starts at the first second of all and ends at S. All its units are on nodes
     * that are open by then. If such a window is on the cheapest of these nodes, none of its units costs more than a
     * unit on any other of them. Among nodes of equal cost it has the first by name. So it is the best of all.
     *
     * @param size the number of nodes to search
     * @return no window if nothing is known
     */
    private SearchAnswer atOnce(SearchField field, SearchQuestion question, SoonestNodes nodes, int size) {
        boolean byEnd = question.criterion() == Criterion.FINISH;
        Offers offers = Offers.of(field.offers());
        long soonest = nodes.bound(Math.ceilDiv(gang.size(), Math.max(1, offers.most())));
        if (soonest == SoonestNodes.ALL || nodes.count(soonest) <= size) {
            return SearchAnswer.NOTHING;
        }
        SlotTerms terms = question.terms();
        long start = byEnd ? terms.earliest() : soonest;
        int[] cheapest = offers.cheapest(start, size, i -> nodes.isBy(i, soonest));
        Arrays.sort(cheapest);
        SearchField searchField = SearchField.of(gang, List.of(offers.at(cheapest)));
        SlotTerms immediateTerms = terms.between(start, start).endingBy(byEnd ? soonest : terms.deadline());
        return search.best(
                searchField
                        .search(gang, immediateTerms, question.restored())
                        .between(question.earlier().least(), question.most()),
                question);
    }

    /** Searches the near future first: a window that starts late neither starts nor ends first. */
    private SearchAnswer stepByStep(SearchField field, SearchQuestion question) {
        SlotTerms terms = question.terms();
        long shortest = Offers.of(field.offers()).least(Criterion.Figure.DURATION);
        long part = Math.max(1, (terms.latest() - terms.earliest()) / firstPart);
        SearchAnswer answer = SearchAnswer.NOTHING;
        while (true) {
            long reach = Math.min(terms.latest(), terms.earliest() + part);
            answer = answer.then(search.best(field, question.with(terms.within(reach, terms.deadline()))));
            Window window = answer.window();
            boolean settled =
                    window != null && (question.criterion() == Criterion.START || window.end() <= reach + 1 + shortest);
            if (settled || reach >= terms.latest()) {
                return answer;
            }
            part *= FieldSearch.GROWTH;
        }
    }

    /** Returns whether nodes can be searched in the order in which pods can start, or end, on them. */
    boolean isSoonest(SearchField field, Criterion criterion) {
        return criterion.isOfTime()
                && field.offers().size() > firstNodes / SOONEST_PART
                && Offers.of(field.offers()).tellFirstStarts();
    }
}
