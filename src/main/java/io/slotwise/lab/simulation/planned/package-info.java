/**
 * The cluster's own planner in virtual time, on priced nodes that pods share.
 *
 * <p>{@link io.slotwise.lab.simulation.planned.PlannedScheduler} does what {@code live.cycle.PlanningLoop} does in a
 * cluster. It observes the nodes, gives the waiting gangs with their promises to {@link
 * io.slotwise.core.planner.Planner}, and keeps the result as promises for the next cycle. {@link
 * io.slotwise.lab.simulation.planned.SimulatedCluster} has the nodes, the running pods and their expected ends.
 */
@NullMarked
package io.slotwise.lab.simulation.planned;

import org.jspecify.annotations.NullMarked;
