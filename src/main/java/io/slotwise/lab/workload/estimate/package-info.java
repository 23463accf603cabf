/** Users' estimates of runtimes by the model of Tsafrir, instead of a workload's own. */
@NullMarked
package io.slotwise.lab.workload.estimate;

import org.jspecify.annotations.NullMarked;
