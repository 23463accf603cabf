/**
 * Passes over the slots of one gang in time order, one class for each criterion.
 *
 * <p>A {@link io.slotwise.core.window.sweep.SlotSearch} is the input. A {@link io.slotwise.core.window.sweep.SlotSweep}
 * goes through it segment by segment: {@link io.slotwise.core.window.sweep.UniformSweep} if all pods are alike, {@link
 * io.slotwise.core.window.sweep.MixedSweep} with {@link io.slotwise.core.window.sweep.MixedPlacement} otherwise. A
 * {@link io.slotwise.core.window.sweep.CriterionSearch} ({@link io.slotwise.core.window.sweep.EarliestStart}, {@link
 * io.slotwise.core.window.sweep.LeastCost} and so on) takes the best {@link
 * io.slotwise.core.window.sweep.UnitSelection} of the pass. {@link io.slotwise.core.window.sweep.DurationPasses} are
 * for criteria in which the longest pod counts besides the start and the cost.
 *
 * <p>Invariant: on a segment every unit's cost is linear in the start, so the best start is its first or its last
 * second. To add a criterion, add a class here and a case to {@code FieldSearch}.
 */
@NullMarked
package io.slotwise.core.window.sweep;

import org.jspecify.annotations.NullMarked;
