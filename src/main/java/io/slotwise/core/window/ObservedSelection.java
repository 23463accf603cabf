package io.slotwise.core.window;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import java.util.Optional;

/** A selection whose searches someone is told of. */
record ObservedSelection(SlotSelection selection, SearchObserver observer) implements SlotSelection {
    @Override
    public Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget, RestoredCapacity vacancy) {
        return observer.around(criterion, () -> selection.best(criterion, terms, budget, vacancy));
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
