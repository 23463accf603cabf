/**
 * Gangs that start after others.
 *
 * <p>{@link io.slotwise.core.planner.chains.Chains} knows who is behind whom in one cycle: which gangs cannot be
 * planned for that (a circle, a gang that is not there), in which order the others are, what a gang's window is bound
 * by, and which promise a delay has overtaken. {@link io.slotwise.core.planner.chains.ChainPromises} gives up those
 * promises and no more. {@link io.slotwise.core.planner.chains.Circles} finds the circles, {@link
 * io.slotwise.core.planner.chains.Transfers} how long data takes between two gangs.
 *
 * <p>The invariant: no window of a gang that is not on its way starts before all that it is after have ended and its
 * data is there. It holds whenever a step of the cycle has come to its end, because each search of a gang asks {@link
 * io.slotwise.core.planner.queue.PlanningGang#terms} at the moment, and what is left over is put right once more at the
 * end of the cycle.
 */
@NullMarked
package io.slotwise.core.planner.chains;

import org.jspecify.annotations.NullMarked;
