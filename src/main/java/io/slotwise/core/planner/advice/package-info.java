/**
 * Questions about what a gang could have. They change nothing.
 *
 * <p>{@link io.slotwise.core.planner.advice.Quoter} lists the windows that are Pareto-optimal in start and cost. {@link
 * io.slotwise.core.planner.advice.Advisor} finds the least change of a gang's requirements that makes it start, or
 * start earlier; {@link io.slotwise.core.planner.advice.AdviceSearch} is the search of one such question.
 *
 * <p>Pure functions like the planner. All other gangs keep their windows. To add an advice, add a case to {@link
 * io.slotwise.core.plan.RequestChange} and search for it in {@code AdviceSearch}.
 */
@NullMarked
package io.slotwise.core.planner.advice;

import org.jspecify.annotations.NullMarked;
