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
    /**
     * Returns the window that the search selects, with {@code restored} counted as free. If no window is as good as the
     * gang's own, the result may be empty.
     */
    Optional<Window> best(WindowRequest request, RestoredCapacity restored);

    default Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget) {
        return best(new WindowRequest(criterion, terms, budget, null), RestoredCapacity.NONE);
    }

    /**
     * Returns the window that the search selects for a gang whose own window is reserved in the timeline. That room
     * counts as free.
     */
    default Optional<Window> best(WindowRequest request, Timeline timeline, Gang gang) {
        Window ownWindow = request.ownWindow();
        return best(request, ownWindow == null ? RestoredCapacity.NONE : ownWindow.restored(timeline, gang));
    }

    /** Returns whether a result so far may have missed a better window, since a search was bounded. */
    boolean bounded();

    /** Returns how many slots have been visited so far. */
    long visited();

    /** Returns this selection for repeating one question while room only decreases, so that it may continue. */
    default SlotSelection repeated() {
        return this;
    }

    /**
     * Returns the selection for further windows of the gang, after the last window that this one gave has been taken
     * as its first.
     */
    default SlotSelection further() {
        return this;
    }

    default SlotSelection observedBy(SearchObserver observer) {
        return new ObservedSelection(this, observer);
    }

    record ObservedSelection(SlotSelection selection, SearchObserver observer) implements SlotSelection {
        @Override
        public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
            return observer.around(request.criterion(), () -> selection.best(request, restored));
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
