/**
 * The gangs of one cycle, and the order in which they are served.
 *
 * <p>{@link io.slotwise.core.planner.queue.PlanningGang} is the working state of one gang. {@link
 * io.slotwise.core.planner.queue.QueueOrder} ranks the gangs by the policy, then by name. {@link
 * io.slotwise.core.planner.queue.StarvationGuard} serves first the gangs that too many have passed. {@link
 * io.slotwise.core.planner.queue.ImprovementTurns} selects the promised gangs that search for better windows. {@link
 * io.slotwise.core.planner.queue.PlanningGang.SearchChoice} is the search for a gang's alternatives.
 *
 * <p>All other packages of the planner use this one, and it uses none of them. To add a queue order, add a constant to
 * the policy and a case to {@code QueueOrder}.
 */
@NullMarked
package io.slotwise.core.planner.queue;

import org.jspecify.annotations.NullMarked;
