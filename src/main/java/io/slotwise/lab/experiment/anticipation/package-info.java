/** The experiments on anticipation: replicated windows beside their references. */
@NullMarked
package io.slotwise.lab.experiment.anticipation;

import org.jspecify.annotations.NullMarked;
