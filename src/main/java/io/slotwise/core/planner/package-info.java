/**
 * The planner: a {@link io.slotwise.core.plan.Snapshot} in, a {@link io.slotwise.core.plan.Plan} out.
 *
 * <p>{@link io.slotwise.core.planner.Planner} makes a plan, and makes it anew where an error ({@link
 * io.slotwise.core.planner.CycleIsolation}) or too many passed gangs ask for that. {@link
 * io.slotwise.core.planner.Cycle} has the steps of one attempt. Each step is a class in a room below: {@code
 * chains} says who comes after whom, {@code promises} which promises hold, {@code online} and {@code batch} give out
 * windows, {@code preemption} and {@code improve} improve them, {@code purchase} says what one would buy. {@link
 * io.slotwise.core.planner.Diagnosis} says why a gang has no window, {@link io.slotwise.core.planner.FrontierPlanner}
 * what the whole batch could have. {@code advice} asks the planner what would help.
 *
 * <p>Invariants: no clock, no I/O, no randomness; the same snapshot and policy give the same plan. What is taken of
 * the room and of the money is rolled back whenever a step is not carried out.
 *
 * <p>To add a step, write a class in the room of its purpose and call it from {@code Cycle}; a room may use {@code
 * queue} and the rooms before it, never {@code Cycle}.
 */
@NullMarked
package io.slotwise.core.planner;

import org.jspecify.annotations.NullMarked;
