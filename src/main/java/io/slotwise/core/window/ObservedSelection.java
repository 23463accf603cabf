package io.slotwise.core.window;

import io.slotwise.core.cluster.Vacancy;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Terms;
import java.util.Optional;

/** A selection whose searches someone is told of. */
record ObservedSelection(SlotSelection selection, SearchObserver observer) implements SlotSelection {
    @Override
    public Optional<Window> best(Criterion criterion, Terms terms, Cost budget, Vacancy vacancy) {
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
