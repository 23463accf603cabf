package io.slotwise.core.window;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import java.util.Optional;

/**
 * A way to select the slots of one gang's window on the present free capacity: the exact {@code WindowSearch}, or an
 * algorithm of a paper. It can be reused after the free capacity has changed, and by several threads at once while it
 * does not. The result depends on the free capacity and the question alone, not on earlier questions.
 */
public interface SlotSelection {
    /** Returns the window that the search selects, with {@code restored} counted as free. */
    Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget, RestoredCapacity restored);

    /**
     * Returns the window that the search selects for a gang whose own window is reserved in the timeline. That room
     * counts as free.
     */
    default Optional<Window> best(WindowRequest request, Timeline timeline, Gang gang) {
        Window ownWindow = request.ownWindow();
        return best(
                request.criterion(),
                request.terms(),
                request.budget(),
                ownWindow == null ? RestoredCapacity.NONE : ownWindow.restored(timeline, gang));
    }

    /** Returns whether a result so far may have missed a better window, since a search was bounded. */
    boolean bounded();

    /** Returns how many slots have been visited so far. */
    long visited();

    /** Returns this selection for repeating one question while room only decreases, so that it may continue. */
    default SlotSelection repeated() {
        return this;
    }

    default SlotSelection observedBy(SearchObserver observer) {
        return new ObservedSelection(this, observer);
    }

    record ObservedSelection(SlotSelection selection, SearchObserver observer) implements SlotSelection {
        @Override
        public Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget, RestoredCapacity restored) {
            return observer.around(criterion, () -> selection.best(criterion, terms, budget, restored));
        }

        @Override
        public SlotSelection repeated() {
            return new ObservedSelection(selection.repeated(), observer);
        }

        @Override
        public boolean bounded() {
            return selection.bounded();
        }

        @Override
        public long visited() {
            return selection.visited();
        }
    }
}
