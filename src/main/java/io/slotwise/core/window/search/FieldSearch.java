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
 * One pass by one criterion on nodes that may be used together, of which everything else is made. Safe for threads as
 * long as the free capacity does not change and each has its own earlier answers.
 *
 * @param firstNodes of more nodes than these, those where nothing can start are left out
 */
record FieldSearch(Gang gang, int firstNodes) {
    /** Nodes that are looked at first. */
    static final int FIRST_NODES = 512;

    /** By how much each look is larger than the one before. */
    static final int GROWTH = 4;

    /** Slots of so many nodes are remembered for each gang that asks again. */
    private static final int MOST_REMEMBERED = GROWTH * FIRST_NODES;

    SearchAnswer best(SearchField field, SearchQuestion question) {
        return best(search(field, question).between(question.earlier().least(), question.most()), question);
    }

    /** The best window on those of many nodes that can be part of one; its slots are not kept. */
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
        return new SlotSearch(slots, field.shapes(), gang.maxPerNode(), null);
    }

    /** The same by an algorithm for the question's criterion. */
    SearchAnswer best(SearchField field, SearchQuestion question, CriterionSearch search) {
        return best(search(field, question).between(question.earlier().least(), question.most()), question, search);
    }

    /** The best window in a search that says what is looked at. */
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
