package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import org.jspecify.annotations.Nullable;

/**
 * The window that a gang searches for.
 *
 * @param ownWindow the gang's window, or null. A worse one is of no use
 */
public record WindowRequest(
        Criterion criterion,
        SlotTerms terms,
        Cost budget,
        @Nullable Window ownWindow) {}
