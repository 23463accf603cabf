/**
 * Workloads in virtual time.
 *
 * <p>{@link io.slotwise.lab.simulation.Simulation} moves the clock from one second with events to the next: ends,
 * disturbances, submissions, and then one pass of the {@link io.slotwise.lab.simulation.Scheduler}. A run is a pure
 * function of workload, machine, policy and seed. {@link io.slotwise.lab.simulation.SimulationObserver}s see each event
 * once. A simulation only holds jobs that wait or run, however long the log is.
 *
 * <p>There are two kinds of schedulers. The disciplines of {@link io.slotwise.lab.simulation.processors} count
 * identical processors. {@link io.slotwise.lab.simulation.planned} uses the cluster's own planner for priced, shared
 * nodes, and is the only kind that supports a {@link io.slotwise.lab.simulation.disturbance.Disturbance}. {@link
 * io.slotwise.lab.simulation.metric} computes figures from the observations.
 */
@NullMarked
package io.slotwise.lab.simulation;

import org.jspecify.annotations.NullMarked;
