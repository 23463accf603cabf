/** The experiments on gangs in queues of processors. */
@NullMarked
package io.slotwise.lab.experiment.grid;

import org.jspecify.annotations.NullMarked;
