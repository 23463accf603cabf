/**
 * Moves of gangs that run: one is evicted as a whole and placed again with the work that it has left, where that starts
 * a gang that waits, makes way for a higher priority, or saves money.
 *
 * <p>{@link io.slotwise.core.migration.Running} is what a host says of a gang that it may move,
 * {@link io.slotwise.core.migration.MigrationPolicy} what the policy allows, {@link
 * io.slotwise.core.migration.DisruptionLimit} what disruption budgets allow, {@link
 * io.slotwise.core.migration.MigrationPlanner} finds the moves that pay, and a {@link io.slotwise.core.migration.Move}
 * is one of them: the room that the gang gives up and the window that is reserved for it in the same plan. Invariant: a
 * move takes only free room and the room that its own gang gives up, so it never worsens the window of any other gang,
 * and it strictly gains.
 *
 * <p>Source: F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G. C. Barroso, "Analysis of Scheduling
 * Algorithms with Migration Strategies in Distributed Systems" (2014), section V: local and external migration with
 * reservation of the destination, and high-priority tasks that interrupt a whole gang.
 */
@NullMarked
package io.slotwise.core.migration;

import org.jspecify.annotations.NullMarked;
