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
    /** The window that the search settles on, with {@code restored} counted as free; empty: none. */
    Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget, RestoredCapacity restored);

    /** The same for a gang whose own window has its room in the timeline. */
    default Optional<Window> best(WindowRequest request, Timeline timeline, Gang gang) {
        Window ownWindow = request.ownWindow();
        return best(
                request.criterion(),
                request.terms(),
                request.budget(),
                ownWindow == null ? RestoredCapacity.NONE : ownWindow.vacancy(timeline, gang));
    }

    /** Whether an answer so far may have missed a better window, since the search had to be bounded. */
    boolean bounded();

    /** How many slots have been visited so far. */
    long visited();

    /** The same selection for one who asks one question again and again while room only goes: it may go on. */
    default SlotSelection repeated() {
        return this;
    }

    /** The same selection, whose searches someone is told of. */
    default SlotSelection observedBy(SearchObserver observer) {
        return new ObservedSelection(this, observer);
    }

    /** A selection whose searches someone is told of. */
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
