/**
 * Gangs that start after others.
 *
 * <p>{@link io.slotwise.core.planner.chains.Chains} finds the gangs that cannot be planned because of their
 * predecessors (a circle, a missing gang), orders the others, bounds their windows, and finds the promises that a delay
 * has overtaken. {@link io.slotwise.core.planner.chains.ChainPromises} gives up those promises and no others. {@link
 * io.slotwise.core.planner.chains.Circles} finds the circles. {@link io.slotwise.core.planner.chains.Transfers}
 * computes how long data takes between two gangs.
 *
 * <p>Invariant: no window of a gang that is not on its way starts before all its predecessors have ended and its data
 * is there. The invariant holds after each step of the cycle, because each search asks {@link
 * io.slotwise.core.planner.queue.PlanningGang#terms} when it runs. The end of the cycle corrects what is left.
 */
@NullMarked
package io.slotwise.core.planner.chains;

import org.jspecify.annotations.NullMarked;
