/**
 * Moves of running gangs. A whole gang is evicted and placed again with its remaining work. A move starts a waiting
 * gang, makes way for a higher priority, or saves money.
 *
 * <p>{@link io.slotwise.core.migration.Running} describes a gang that may be moved. {@link
 * io.slotwise.core.migration.MigrationPolicy} has the limits of the policy, and {@link
 * io.slotwise.core.migration.DisruptionLimit} those of disruption budgets. {@link
 * io.slotwise.core.migration.MigrationPlanner} finds the moves that pay. A {@link io.slotwise.core.migration.Move} has
 * the room that the gang gives up and the window that the same plan reserves for it. Invariant: a move takes only free
 * room and the room that its own gang gives up, so it never worsens the window of any other gang, and it strictly
 * gains.
 *
 * <p>Source: F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G. C. Barroso, "Analysis of Scheduling
 * Algorithms with Migration Strategies in Distributed Systems" (2014), section V: local and external migration with
 * reservation of the destination, and high-priority tasks that interrupt a whole gang.
 */
@NullMarked
package io.slotwise.core.migration;

import org.jspecify.annotations.NullMarked;
