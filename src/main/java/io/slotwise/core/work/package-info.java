/**
 * The services that the core needs from its caller, as it has no threads, clock or randomness: {@link
 * io.slotwise.core.work.Workers}, {@link io.slotwise.core.work.RandomSource} and {@link
 * io.slotwise.core.work.StopSignal}. The package also isolates errors to one object ({@link
 * io.slotwise.core.work.Isolated}, {@link io.slotwise.core.work.InternalFailure}) and sorts many elements ({@link
 * io.slotwise.core.work.KeyOrder}).
 */
@NullMarked
package io.slotwise.core.work;

import org.jspecify.annotations.NullMarked;
