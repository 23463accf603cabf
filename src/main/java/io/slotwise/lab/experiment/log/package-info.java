/** Experiments on logs of the Parallel Workloads Archive: the chart's default policy, and where runtimes come from. */
@NullMarked
package io.slotwise.lab.experiment.log;

import org.jspecify.annotations.NullMarked;
