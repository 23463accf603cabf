/**
 * Clusters of processors with a queue for each processor, and gangs that wait in several queues at once, without plans,
 * prices and estimates. The model is that of F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G. C.
 * Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems" (2014).
 *
 * <p>The {@link io.slotwise.lab.simulation.grid.GridSimulation.GridDispatcher} sends a job to a cluster, and there the
 * {@link io.slotwise.lab.simulation.grid.GridSimulation.LocalDispatcher} sends it to queues. The {@link
 * io.slotwise.lab.simulation.grid.GangOrder} decides which gang starts first. {@link
 * io.slotwise.lab.simulation.grid.GridSimulation.TaskMigration} moves tasks to idle processors. {@link
 * io.slotwise.lab.simulation.grid.GridSimulation} runs all of this in virtual time.
 */
@NullMarked
package io.slotwise.lab.simulation.grid;

import org.jspecify.annotations.NullMarked;
