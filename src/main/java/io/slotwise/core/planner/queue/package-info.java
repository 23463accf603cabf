/**
 * The gangs of one cycle, and in which order they are served.
 *
 * <p>{@link io.slotwise.core.planner.queue.PlanningGang} is the scratch of one gang on its way through the cycle: its
 * search, its alternatives, the window that it has and the money that is taken for it. {@link
 * io.slotwise.core.planner.queue.QueueOrder} ranks the gangs by the policy, the name last. {@link
 * io.slotwise.core.planner.queue.StarvationGuard} serves first those that too many have passed, {@link
 * io.slotwise.core.planner.queue.ImprovementTurns} says which promised gangs look for better windows in a cycle, and
 * {@link io.slotwise.core.planner.queue.PlanningGang.SearchChoice} which search finds a gang's alternatives.
 *
 * <p>All other rooms of the planner use this one, and it uses none of them. A new order of the queue is a constant of
 * the policy and a case of {@code QueueOrder}.
 */
@NullMarked
package io.slotwise.core.planner.queue;

import org.jspecify.annotations.NullMarked;
