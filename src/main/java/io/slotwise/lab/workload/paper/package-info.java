/**
 * The environments and jobs that the papers draw at random for their experiments.
 *
 * <p>An {@link io.slotwise.lab.workload.paper.EnvironmentModel} is the distribution of nodes, prices and owners' local
 * tasks, a {@link io.slotwise.lab.workload.paper.JobModel} that of the jobs of a batch. All draws come from the given
 * generators. A time unit of the papers is a second, and every node holds one pod at a time.
 */
@NullMarked
package io.slotwise.lab.workload.paper;

import org.jspecify.annotations.NullMarked;
