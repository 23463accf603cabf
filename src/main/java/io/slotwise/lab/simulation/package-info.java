/**
 * Workloads in virtual time.
 *
 * <p>{@link io.slotwise.lab.simulation.Simulation} moves the clock from one second in which something happens to
 * the next:
 * what ends, what disturbs the machine, what is submitted, then one pass of the {@link
 * io.slotwise.lab.simulation.Scheduler}, whose starts become events. A run is a pure function of workload, machine,
 * policy
 * and seed. What happens is told to {@link io.slotwise.lab.simulation.SimulationObserver}s and forgotten: a simulation
 * holds the jobs that wait or run, whatever the length of the log.
 *
 * <p>Schedulers are of two kinds, after the machine that they know: the disciplines of {@link
 * io.slotwise.lab.simulation.processors} count whole identical processors; {@link
 * io.slotwise.lab.simulation.planned} asks the
 * cluster's own planner about priced nodes that pods share. Only these can meet a {@link
 * io.slotwise.lab.simulation.disturbance.Disturbance}. {@link io.slotwise.lab.simulation.metric} turns what
 * observers see into
 * figures.
 */
@NullMarked
package io.slotwise.lab.simulation;

import org.jspecify.annotations.NullMarked;
