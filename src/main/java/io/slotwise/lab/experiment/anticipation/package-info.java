/** The experiments on anticipation: replicated windows compared with their references. */
@NullMarked
package io.slotwise.lab.experiment.anticipation;

import org.jspecify.annotations.NullMarked;
