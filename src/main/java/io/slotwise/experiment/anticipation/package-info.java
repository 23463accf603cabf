/**
 * The experiments on anticipation: replicated windows beside their references.
 */
@NullMarked
package io.slotwise.experiment.anticipation;

import org.jspecify.annotations.NullMarked;
