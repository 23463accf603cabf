/**
 * Time in whole seconds since the epoch: half-open intervals, step functions, and durations as people write them.
 * Immutable.
 */
@NullMarked
package io.slotwise.core.time;

import org.jspecify.annotations.NullMarked;
