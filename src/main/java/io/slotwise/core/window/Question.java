package io.slotwise.core.window;

import io.slotwise.core.cluster.Vacancy;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Terms;

/**
 * What a search for one window is asked for.
 *
 * @param criterion what is to be least
 * @param terms where slots may lie
 * @param budget the most that the window may cost
 * @param vacancy room that counts as free though it is taken
 * @param most windows with a higher value of the criterion are of no use
 * @param earlier what is known from answers to the same question
 * @param narrowed whether it is about fewer windows than were asked for first
 */
record Question(
        Criterion criterion,
        Terms terms,
        Cost budget,
        Vacancy vacancy,
        long most,
        EarlierAnswers earlier,
        boolean narrowed) {
    Question(Criterion criterion, Terms terms, Cost budget, Vacancy vacancy, long most, EarlierAnswers earlier) {
        this(criterion, terms, budget, vacancy, most, earlier, false);
    }

    Question by(Criterion other) {
        return other == criterion ? this : new Question(other, terms, budget, vacancy, most, earlier, narrowed);
    }

    Question with(Terms other) {
        return new Question(criterion, other, budget, vacancy, most, earlier, true);
    }

    /** About windows that are no worse than this one. */
    Question noWorseThan(Window window, Gang gang) {
        return new Question(criterion, terms, budget, vacancy, window.value(criterion, gang), earlier, true);
    }
}
