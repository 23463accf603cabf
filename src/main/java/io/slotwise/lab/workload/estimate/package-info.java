/** Estimates of runtimes as users give them, by the model of Tsafrir, in place of a workload's own. */
@NullMarked
package io.slotwise.lab.workload.estimate;

import org.jspecify.annotations.NullMarked;
