package io.slotwise.core.window;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import java.util.Optional;

/**
 * A way to select the slots of one gang's window, on the free capacity as it is now: the exact {@code WindowSearch}, or
 * a paper's own algorithm. It can be asked again after the free capacity has changed, and by several threads at once as
 * long as it does not; its answer depends on the free capacity and on what is asked alone, not on what was asked
 * before.
 */
public interface SlotSelection {
    /**
     * The window that it settles on: it has room, lies within the terms and costs no more than the budget.
     *
     * @param criterion what is to be least
     * @param terms where slots may lie
     * @param budget the most that the window may cost
     * @param vacancy room that counts as free though it is taken
     * @return empty if it finds none
     */
    Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget, RestoredCapacity vacancy);

    /**
     * The same for a gang whose own window has its room in the timeline.
     *
     * @param gang whose window it is
     */
    default Optional<Window> best(WindowRequest sought, Timeline timeline, Gang gang) {
        Window own = sought.own();
        return best(
                sought.criterion(),
                sought.terms(),
                sought.budget(),
                own == null ? RestoredCapacity.NONE : own.vacancy(timeline, gang));
    }

    /** Whether an answer so far may have missed a better window, since the search had to be bounded. */
    boolean bounded();

    /** How many slots have been visited so far. */
    long visited();

    /**
     * The same selection for one who asks the same question again and again while room only goes, one time after the
     * other: it may go on from what it found last.
     */
    default SlotSelection repeated() {
        return this;
    }

    /** The same selection, whose searches someone is told of. */
    default SlotSelection observedBy(SearchObserver observer) {
        return new ObservedSelection(this, observer);
    }
}
