/** Workloads as users name them: a file in one of the formats, or a model with its parameters. */
@NullMarked
package io.slotwise.lab.workload.format;

import org.jspecify.annotations.NullMarked;
