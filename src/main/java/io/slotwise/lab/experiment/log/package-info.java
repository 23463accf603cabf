/** Experiments on logs of the Parallel Workloads Archive: the chart's default policy, and the sources of runtimes. */
@NullMarked
package io.slotwise.lab.experiment.log;

import org.jspecify.annotations.NullMarked;
