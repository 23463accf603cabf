/**
 * The cluster's own planner in virtual time, on priced nodes that pods share.
 *
 * <p>{@link io.slotwise.lab.simulation.planned.PlannedScheduler} does what {@code live.PlanningLoop} does in a
 * cluster: it
 * looks at the nodes, hands the waiting gangs with their promises to {@link io.slotwise.core.planner.Planner}, and
 * keeps what comes out as promises for the next cycle. {@link io.slotwise.lab.simulation.planned.SimulatedCluster}
 * is what
 * it looks at: nodes, what runs on them and how long that is expected to last.
 */
@NullMarked
package io.slotwise.lab.simulation.planned;

import org.jspecify.annotations.NullMarked;
