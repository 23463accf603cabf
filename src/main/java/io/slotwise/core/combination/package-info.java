/**
 * One alternative for every gang of a batch.
 *
 * <p>{@link io.slotwise.core.combination.Knapsack} is the problem and its answer: groups of items with a value, a
 * weight and a charge to an account. {@link io.slotwise.core.combination.Recursion} folds the groups in one by one,
 * from the end that {@link io.slotwise.core.combination.Direction} says; the totals of each stage lie in a
 * {@link io.slotwise.core.combination.ParetoList}, merged by {@link io.slotwise.core.combination.MergedItems} and
 * sifted by a {@link io.slotwise.core.combination.ParetoFrontier}. {@link io.slotwise.core.combination.Relaxation}
 * bounds what the groups to come can add, with {@link io.slotwise.core.combination.Multipliers} as prices of the
 * accounts.
 *
 * <p>{@link io.slotwise.core.combination.BatchFrontier} asks for all choices that no other one beats in both sums, with
 * the same lists and no limit.
 *
 * <p>Everything is in integers: a bound is rounded to the side on which it stays true. What the items mean (which
 * objective, which limit) is decided by {@code core.plan}.
 */
@NullMarked
package io.slotwise.core.combination;

import org.jspecify.annotations.NullMarked;
