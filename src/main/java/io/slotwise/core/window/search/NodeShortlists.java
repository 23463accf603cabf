package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.shortlist.Shortlist;
import io.slotwise.core.window.sweep.LeastCost;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the promising nodes first: by most criteria a few of them have the best window, and a {@link Shortlist}
 * tells whether others may have a better one. Shortlists grow until that is settled. Safe for threads.
 */
final class NodeShortlists {
    /** What a shortlist is for. */
    private record Asked(int field, Criterion criterion, int size, long earliest, long latest) {}

    /** How many parts of the time, each longer than the one before, are looked at for a window that is as good. */
    private static final int LOOKS_ON = 2;

    private final Gang gang;
    private final List<SearchField> fields;
    private final FieldSearch passes;
    private final NearFuture future;
    private final int firstNodes;
    private final Map<Asked, Shortlist> shortlists = new HashMap<>();

    /** For one gang whose pods all ask for the same, on these fields. */
    NodeShortlists(Gang gang, List<SearchField> fields, FieldSearch passes, NearFuture future, int firstNodes) {
        this.gang = gang;
        this.fields = fields;
        this.passes = passes;
        this.future = future;
        this.firstNodes = firstNodes;
    }

    /**
     * Looks for a window that is as good as the last one first, then at the promising nodes, and on others for what may
     * be better than the best window there.
     */
    SearchAnswer best(int field, SearchQuestion question) {
        SearchAnswer again = asGoodAsBefore(field, question);
        return again.window() == null ? again.then(promising(field, question)) : again;
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

    /**
     * Nodes on which all windows lie that are as good as the last one, of many; null: there are few, or nearly all are
     * needed.
     */
    private @Nullable SearchField holding(int field, SearchQuestion question) {
        SearchField all = fields.get(field);
        SlotTerms terms = question.terms();
        if (all.offers().size() <= firstNodes) {
            return null;
        }
        for (int size = firstNodes; size <= FieldSearch.GROWTH * firstNodes; size *= FieldSearch.GROWTH) {
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
        for (int size = firstNodes; size < all.offers().size(); size *= FieldSearch.GROWTH) {
            Shortlist nodes = shortlist(field, question.criterion(), size, terms.earliest(), terms.latest());
            LeastCost search = new LeastCost(nodes.nextValue());
            answer = answer.or(passes.best(SearchField.of(gang, List.of(nodes.offers())), open, search), order);
            Window window = answer.window();
            Interval seconds = search.open();
            if (seconds == null || (window != null && nodes.settles(window))) {
                return answer;
            }
            open = open.with(open.terms().between(seconds.start(), seconds.end() - 1));
            open = window == null ? open : open.noWorseThan(window, gang);
        }
        return answer.or(passes.best(all, open), order);
    }

    private SearchAnswer promising(int field, SearchQuestion question) {
        if (question.criterion() == Criterion.COST
                && Offers.of(fields.get(field).offers()).areFlat()) {
            return cheapest(field, question);
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
        Supplier<Shortlist> made =
                () -> new Shortlist(fields.get(field).offers(), criterion, gang, size, earliest, latest);
        return size > FieldSearch.GROWTH * firstNodes
                ? made.get()
                : shortlists.computeIfAbsent(
                        new Asked(field, criterion, size, earliest, isOfFarStarts(criterion) ? latest : 0),
                        _ -> made.get());
    }

    /** Whether what a node can add to the criterion depends on how late a window may start. */
    private static boolean isOfFarStarts(Criterion criterion) {
        return switch (criterion.kind()) {
            case WORTH, DISTANCE -> true;
            case TIME, LARGEST, SUM -> false;
        };
    }
}
