package io.slotwise.core.window.search;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.function.ToLongFunction;

/**
 * The question of a search for one window.
 *
 * @param restored room that counts as free though it is taken
 * @param most the highest useful value of the criterion
 * @param earlier what is known from answers to the same question
 */
record SearchQuestion(
        Criterion criterion,
        SlotTerms terms,
        Cost budget,
        RestoredCapacity restored,
        long most,
        EarlierAnswers earlier,
        boolean narrowed) {
    SearchQuestion(
            Criterion criterion,
            SlotTerms terms,
            Cost budget,
            RestoredCapacity restored,
            long most,
            EarlierAnswers earlier) {
        this(criterion, terms, budget, restored, most, earlier, false);
    }

    SearchQuestion with(SlotTerms other) {
        return new SearchQuestion(criterion, other, budget, restored, most, earlier, true);
    }

    /** Returns the question for the best window by another criterion. */
    SearchQuestion by(Criterion other) {
        return new SearchQuestion(other, terms, budget, restored, Long.MAX_VALUE, EarlierAnswers.none());
    }

    SearchQuestion noWorseThan(Window window, Gang gang) {
        return upTo(window.value(criterion, gang));
    }

    /** Returns the question for windows that are no worse than another one, whose start or end bounds them. */
    SearchQuestion bounded(Window window, Gang gang) {
        return switch (criterion) {
            case START -> with(terms.within(Math.min(terms.latest(), window.start()), terms.deadline()));
            case FINISH -> with(terms.within(terms.latest(), Math.min(terms.deadline(), window.end())));
            case RUNTIME, COST, PROCESSOR_TIME, ENERGY, VALUE, PREFERENCE -> noWorseThan(window, gang);
        };
    }

    /**
     * Returns the largest useful figure of a pod, as the longest one or in a sum with the least of the others. {@link
     * Long#MAX_VALUE} if every figure is useful.
     *
     * @param least the least figure of any pod
     */
    long mostOfOne(Gang gang, ToLongFunction<Criterion.Figure> least) {
        if (most == Long.MAX_VALUE) {
            return most;
        }
        return switch (criterion.kind()) {
            case LARGEST -> most;
            case SUM -> most - (gang.size() - 1) * least.applyAsLong(criterion.figure());
            case TIME, WORTH, DISTANCE -> Long.MAX_VALUE;
        };
    }

    SearchQuestion upTo(long value) {
        return new SearchQuestion(criterion, terms, budget, restored, value, earlier, true);
    }
}
