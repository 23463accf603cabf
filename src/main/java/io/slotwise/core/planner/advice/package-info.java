/**
 * What a gang could have: questions to the planner that change nothing.
 *
 * <p>{@link io.slotwise.core.planner.advice.Quoter} tells every window that is Pareto-optimal in start and cost.
 * {@link io.slotwise.core.planner.advice.Advisor} tells the least change of what a gang asks for that makes it start,
 * or start earlier; {@link io.slotwise.core.planner.advice.AdviceSearch} is the scratch of that.
 *
 * <p>As pure as the planner. All other gangs keep their windows. To add an advice, add a case to {@link
 * io.slotwise.core.plan.RequestChange} and look for it in {@code AdviceSearch}.
 */
@NullMarked
package io.slotwise.core.planner.advice;

import org.jspecify.annotations.NullMarked;
