/**
 * The choice of units in one second, within a budget.
 *
 * <p>{@link io.slotwise.core.window.knapsack.UnitKnapsack} bounds the choice first. {@link
 * io.slotwise.core.window.knapsack.KnapsackCore} is the dynamic program over the few units that the bound leaves open.
 * Exact unless it reports that a limit of its work was reached.
 */
@NullMarked
package io.slotwise.core.window.knapsack;

import org.jspecify.annotations.NullMarked;
