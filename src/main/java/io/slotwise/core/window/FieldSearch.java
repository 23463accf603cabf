package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.SlotList;

/**
 * One search by one criterion on nodes that may be used together: the pass that everything else is made of. Safe for threads as long as the free capacity does not
 * change and each has its own earlier answers.
 */
final class FieldSearch {
    /** Nodes that are looked at first. */
    static final int FIRST_NODES = 512;

    /** By how much each look is larger than the one before. */
    static final int GROWTH = 4;

    /** Slots of so many nodes are remembered for each gang that asks again. */
    private static final int MOST_REMEMBERED = GROWTH * FIRST_NODES;

    private final Gang gang;
    private final int firstNodes;

    /**
     * For one gang.
     *
     * @param firstNodes of more nodes than so many those are left out first on which nothing can start
     */
    FieldSearch(Gang gang, int firstNodes) {
        this.gang = gang;
        this.firstNodes = firstNodes;
    }

    /** The best window on a field. */
    SearchAnswer best(SearchField field, Question question) {
        return best(search(field, question).between(question.earlier().least(), question.most()), question);
    }

    private Search search(SearchField field, Question question) {
        int nodes = field.offers().size();
        if (question.narrowed() && nodes > firstNodes && field.shapes().size() == 1) {
            return field.onlyOpen(gang, question).search(gang, question.terms(), question.vacancy());
        }
        boolean remembered = question.vacancy().isEmpty() && nodes <= MOST_REMEMBERED;
        return remembered ? onSlots(field, question) : field.search(gang, question.terms(), question.vacancy());
    }

    private Search onSlots(SearchField field, Question question) {
        SlotList slots = question.earlier().slots(field.offers(), question.terms());
        return new Search(slots, field.shapes(), gang.maxPerNode(), null);
    }

    /** The best window in a search that says what is looked at. */
    SearchAnswer best(Search search, Question question) {
        CriterionSearch algorithm = algorithm(question.criterion(), gang, search.isUniform());
        Selection selection = algorithm.best(search, question.budget());
        return new SearchAnswer(
                selection == null ? null : WindowAssembly.of(gang, search, selection),
                search.bounded(),
                search.slots().size());
    }

    static CriterionSearch algorithm(Criterion criterion, Gang gang, boolean uniform) {
        return switch (criterion) {
            case START -> new Amp();
            case FINISH -> new EarliestFinish();
            case RUNTIME -> new LeastRuntime();
            case COST -> new LeastCost();
            case PROCESSOR_TIME, ENERGY ->
                uniform
                        ? new LeastSum(criterion.figure())
                        : new MixedLeastSum(offer -> offer.figure(criterion.figure()));
            case VALUE -> new LeastValue(gang);
        };
    }
}
