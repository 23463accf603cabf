/** The experiments on the selection of slots: the quality of the papers' windows, and their searches' duration. */
@NullMarked
package io.slotwise.lab.experiment.selection;

import org.jspecify.annotations.NullMarked;
