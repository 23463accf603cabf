/**
 * The planner: a {@link io.slotwise.core.plan.Snapshot} in, a {@link io.slotwise.core.plan.Plan} out.
 *
 * <p>{@link io.slotwise.core.planner.Planner} makes a plan, and repeats it after an error ({@link
 * io.slotwise.core.planner.CycleIsolation}) or if a gang was passed too often. {@link io.slotwise.core.planner.Cycle}
 * has the steps of one attempt. The subpackages have the steps: {@code chains} orders gangs that start after others,
 * {@code promises} finds the promises that hold, {@code online} and {@code batch} assign windows. Then {@code
 * preemption} and {@code improve} improve windows, and {@code purchase} names the nodes to buy. {@link
 * io.slotwise.core.planner.Diagnosis} finds why a gang has no window. {@link io.slotwise.core.planner.FrontierPlanner}
 * computes the choices of the whole batch. {@code advice} asks the planner which change would help a gang.
 *
 * <p>Invariants: no clock, no I/O, no randomness, and the same plan for the same snapshot and policy. A step that is
 * not carried out rolls back the room and the money that it took.
 *
 * <p>To add a step, write a class in the subpackage of its purpose and call it from {@code Cycle}. A subpackage may use
 * {@code queue} and the subpackages before it, but never {@code Cycle}.
 */
@NullMarked
package io.slotwise.core.planner;

import org.jspecify.annotations.NullMarked;
