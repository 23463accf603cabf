package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.shortlist.Shortlist;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Looks at the promising nodes first: by most criteria a few of them have the best window, and a {@link Shortlist}
 * tells whether others may have a better one. Shortlists grow until that is settled. Safe for threads.
 */
final class NodeShortlists {
    /** What a shortlist is for. */
    private record Asked(int field, Criterion criterion, int size, long earliest, long latest) {}

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

    /** Looks at the promising nodes first, and on others for what may be better than the best window there. */
    SearchAnswer best(int field, SearchQuestion question) {
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
                        new Asked(field, criterion, size, earliest, criterion == Criterion.VALUE ? latest : 0),
                        _ -> made.get());
    }
}
