/**
 * Clusters of processors with a queue before each processor, and gangs that wait in several of these queues at once: no
 * plan, no prices, no estimates. The model is that of F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos,
 * G. C. Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems" (2014).
 *
 * <p>A job goes from the {@link io.slotwise.lab.simulation.grid.GridSimulation.GridDispatcher} to a cluster and there
 * from the {@link io.slotwise.lab.simulation.grid.GridSimulation.LocalDispatcher} to queues; the {@link
 * io.slotwise.lab.simulation.grid.GangOrder} says which gang goes first where several could; {@link
 * io.slotwise.lab.simulation.grid.GridSimulation.TaskMigration} moves tasks to idle processors. {@link
 * io.slotwise.lab.simulation.grid.GridSimulation} is the virtual time around them.
 */
@NullMarked
package io.slotwise.lab.simulation.grid;

import org.jspecify.annotations.NullMarked;
