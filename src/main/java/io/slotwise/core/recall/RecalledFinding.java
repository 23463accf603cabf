package io.slotwise.core.recall;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an exact search of one gang has found, with all that the gang itself holds counting as free.
 *
 * @param criterion what was to be least
 * @param terms where slots could lie
 * @param budget the most that the window could cost
 * @param window the best; null: there was none
 * @param seen the number of departures that there had been
 */
record RecalledFinding(
        Criterion criterion,
        SlotTerms terms,
        Cost budget,
        @Nullable Window window,
        long seen) {
    static RecalledFinding of(WindowRequest sought, @Nullable Window window, long seen) {
        return new RecalledFinding(sought.criterion(), sought.terms(), sought.budget(), window, seen);
    }

    /** The same with the gang's own window in the place of one that is worse, its nodes' names apart, or of none. */
    RecalledFinding orOwn(Gang gang, @Nullable Window own) {
        return own == null || (window != null && !isBetter(own, window, gang))
                ? this
                : new RecalledFinding(criterion, terms, budget, own, seen);
    }

    private boolean isBetter(Window own, Window found, Gang gang) {
        long value = own.value(criterion, gang);
        long before = found.value(criterion, gang);
        return value < before
                || (value == before
                        && (own.start() < found.start()
                                || (own.start() == found.start() && own.cost().compareTo(found.cost()) < 0)));
    }

    /** Whether an older one is about the same and of no more use. */
    boolean replaces(RecalledFinding other) {
        return criterion == other.criterion
                && budget.equals(other.budget)
                && ((other.terms.earliest() <= terms.earliest() && other.reaches(terms))
                        || (terms.earliest() <= other.terms.earliest() && reaches(other.terms)));
    }

    /** Whether it was about all that is sought, but for ends and starts that were too late then. */
    boolean isAbout(WindowRequest sought) {
        return criterion == sought.criterion()
                && terms.earliest() <= sought.terms().earliest()
                && budget.compareTo(sought.budget()) >= 0
                && Objects.equals(terms.slotPrice(), sought.terms().slotPrice());
    }

    /** Whether it was about windows that could start and end as late as is sought. */
    boolean reaches(SlotTerms sought) {
        return terms.latest() >= sought.latest() && terms.deadline() >= sought.deadline();
    }

    /** Whether its window is one of those that are sought, its room apart. */
    boolean suits(WindowRequest sought) {
        return window == null
                || (window.start() >= sought.terms().earliest()
                        && window.start() <= sought.terms().latest()
                        && window.end() <= sought.terms().deadline()
                        && window.cost().compareTo(sought.budget()) <= 0);
    }
}
