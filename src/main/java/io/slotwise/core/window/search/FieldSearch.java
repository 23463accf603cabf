package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.sweep.CriterionSearch;
import io.slotwise.core.window.sweep.EarliestFinish;
import io.slotwise.core.window.sweep.EarliestStart;
import io.slotwise.core.window.sweep.LeastCost;
import io.slotwise.core.window.sweep.LeastDistance;
import io.slotwise.core.window.sweep.LeastRuntime;
import io.slotwise.core.window.sweep.LeastSum;
import io.slotwise.core.window.sweep.LeastValue;
import io.slotwise.core.window.sweep.MixedLeastSum;
import io.slotwise.core.window.sweep.SlotSearch;
import io.slotwise.core.window.sweep.UnitSelection;

/**
 * A pass by one criterion over nodes that may be used together. All other searches are made of these. Thread-safe as
 * long as the free capacity does not change and each thread has its own earlier answers.
 *
 * @param firstNodes if there are more nodes than this, nodes where nothing can start are left out
 */
record FieldSearch(Gang gang, int firstNodes) {
    /** The number of nodes that are searched first. */
    static final int FIRST_NODES = 512;

    /** The factor by which each search is larger than the one before. */
    static final int GROWTH = 4;

    /** The most nodes of which slots are kept for a repeated search. */
    private static final int MOST_REMEMBERED = GROWTH * FIRST_NODES;

    SearchAnswer best(SearchField field, SearchQuestion question) {
        return best(search(field, question).between(question.earlier().least(), question.most()), question);
    }

    /** Returns the best window on the nodes that can be part of one. Does not keep their slots. */
    SearchAnswer bestAsGood(SearchField field, SearchQuestion question) {
        SearchField searchField = field.offers().size() > firstNodes / GROWTH ? field.onlyOpen(gang, question) : field;
        return best(
                searchField
                        .search(gang, question.terms(), question.restored())
                        .between(question.earlier().least(), question.most()),
                question);
    }

    private SlotSearch search(SearchField field, SearchQuestion question) {
        int nodes = field.offers().size();
        if (question.narrowed() && nodes > firstNodes && field.shapes().size() == 1) {
            return field.onlyOpen(gang, question).search(gang, question.terms(), question.restored());
        }
        boolean remembered = question.restored().isEmpty() && nodes <= MOST_REMEMBERED;
        return remembered ? onSlots(field, question) : field.search(gang, question.terms(), question.restored());
    }

    private SlotSearch onSlots(SearchField field, SearchQuestion question) {
        SlotList slots = question.earlier().slots(field.offers(), question.terms());
        return new SlotSearch(slots, field.shapes(), gang.maxPerNode(), null)
                .in(gang.topology().slices());
    }

    /** Returns the best window by an algorithm for the question's criterion. */
    SearchAnswer best(SearchField field, SearchQuestion question, CriterionSearch search) {
        return best(search(field, question).between(question.earlier().least(), question.most()), question, search);
    }

    SearchAnswer best(SlotSearch search, SearchQuestion question) {
        return best(search, question, algorithm(question.criterion(), gang, search.isUniform()));
    }

    private SearchAnswer best(SlotSearch search, SearchQuestion question, CriterionSearch criterionSearch) {
        UnitSelection selection = criterionSearch.best(search, question.budget());
        return new SearchAnswer(
                selection == null ? null : WindowAssembly.of(gang, search, selection),
                search.bounded(),
                search.slots().size());
    }

    static CriterionSearch algorithm(Criterion criterion, Gang gang, boolean uniform) {
        return switch (criterion) {
            case START -> new EarliestStart();
            case FINISH -> new EarliestFinish();
            case RUNTIME -> new LeastRuntime();
            case COST -> new LeastCost();
            case PROCESSOR_TIME, ENERGY ->
                uniform
                        ? new LeastSum(criterion.figure())
                        : new MixedLeastSum(offer -> offer.figure(criterion.figure()));
            case VALUE -> new LeastValue(gang);
            case PREFERENCE -> new LeastDistance(gang);
        };
    }
}
