/**
 * The choice of one alternative for every gang of a batch.
 *
 * <p>{@link io.slotwise.core.combination.Knapsack} is the problem and its solution: groups of items with a value, a
 * weight and a charge to an account. {@link io.slotwise.core.combination.Recursion} folds the groups in one by one, in
 * a {@link io.slotwise.core.combination.Direction}. The totals of each stage are in a {@link
 * io.slotwise.core.combination.ParetoList}, merged by {@link io.slotwise.core.combination.MergedItems} and filtered by
 * a {@link io.slotwise.core.combination.ParetoFrontier}. {@link io.slotwise.core.combination.Relaxation} bounds what
 * the remaining groups can add, with {@link io.slotwise.core.combination.Multipliers} as prices of the accounts.
 *
 * <p>{@link io.slotwise.core.combination.BatchFrontier} returns all choices that no other one beats in both sums, with
 * the same lists and no limit.
 *
 * <p>All arithmetic is on integers, and bounds are rounded to the side on which they stay true. The callers in {@code
 * core.planner} define the meaning of the items (which objective, which limit).
 */
@NullMarked
package io.slotwise.core.combination;

import org.jspecify.annotations.NullMarked;
