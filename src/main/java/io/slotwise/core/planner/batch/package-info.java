/**
 * The gangs that are planned together: alternatives of every gang, then a choice of one for each.
 *
 * <p>{@link io.slotwise.core.planner.batch.CyclicBatch} cuts the queue into sub-batches. {@link
 * io.slotwise.core.planner.batch.BatchCombiner} chooses one alternative for each gang by the policy's objective, within
 * the {@link io.slotwise.core.planner.batch.BatchLimit} and the accounts of the namespaces. {@link
 * io.slotwise.core.planner.batch.ChoiceExplainer} explains each choice. {@link
 * io.slotwise.core.planner.batch.AnticipatedBatch} plans by references instead. {@link
 * io.slotwise.core.planner.batch.ParetoBatch} has the choices between money and delay for an admin. {@link
 * io.slotwise.core.planner.batch.Backfilling} places the gangs that are left.
 *
 * <p>Invariants: a sub-batch passes its unused limit on, and a promise is replaced only by a window that is better for
 * its gang. To add an objective, add a constant to {@code core.combination.Objective} and a case to {@code
 * BatchCombiner}.
 */
@NullMarked
package io.slotwise.core.planner.batch;

import org.jspecify.annotations.NullMarked;
