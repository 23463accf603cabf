package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import org.jspecify.annotations.Nullable;

/**
 * The window that a gang searches for.
 *
 * @param ownWindow a window of the gang with room in the timeline, which counts as free, or null
 */
public record WindowRequest(
        Criterion criterion,
        SlotTerms terms,
        Cost budget,
        @Nullable Window ownWindow) {
    public WindowRequest within(SlotTerms other) {
        return new WindowRequest(criterion, other, budget, ownWindow);
    }
}
