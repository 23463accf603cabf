/** The experiments on the selection of slots: how good the papers' windows are, and how long their searches take. */
@NullMarked
package io.slotwise.lab.experiment.selection;

import org.jspecify.annotations.NullMarked;
