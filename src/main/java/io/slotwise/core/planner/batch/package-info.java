/**
 * The gangs that are planned together: alternatives of every gang, then one of them each.
 *
 * <p>{@link io.slotwise.core.planner.batch.CyclicBatch} cuts the queue into sub-batches. {@link
 * io.slotwise.core.planner.batch.BatchCombiner} chooses one alternative for each gang by the policy's objective,
 * within its {@link io.slotwise.core.planner.batch.BatchLimit} and the accounts of the namespaces; {@link
 * io.slotwise.core.planner.batch.ChoiceExplainer} says why each has what it has. {@link
 * io.slotwise.core.planner.batch.AnticipatedBatch} goes by references instead. {@link
 * io.slotwise.core.planner.batch.ParetoBatch} has all choices between money and delay that an admin could make. {@link
 * io.slotwise.core.planner.batch.Backfilling} places who is left.
 *
 * <p>Invariants: what a sub-batch does not use of the limit is passed on; a promise is replaced only by a window that
 * is better for its gang. A new objective is a constant of {@code core.combination.Objective} and a case of {@code
 * BatchCombiner}.
 */
@NullMarked
package io.slotwise.core.planner.batch;

import org.jspecify.annotations.NullMarked;
