/**
 * The environments and jobs that the papers draw at random for their experiments.
 *
 * <p>An {@link io.slotwise.lab.workload.paper.EnvironmentModel} says how nodes, prices and the owners' local tasks are
 * drawn, a {@link io.slotwise.lab.workload.paper.JobModel} how the jobs of a batch are. All of it follows from the
 * generators handed in. A time unit of the papers is a second, and every node holds one pod at a time.
 */
@NullMarked
package io.slotwise.lab.workload.paper;

import org.jspecify.annotations.NullMarked;
