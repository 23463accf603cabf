/**
 * What the core needs of the program that runs it, since it has no threads, clock or randomness: {@link
 * io.slotwise.core.work.Workers}, {@link io.slotwise.core.work.RandomSource}, {@link io.slotwise.core.work.StopSignal};
 * and how an error over one object stays with it ({@link io.slotwise.core.work.Isolated}, {@link
 * io.slotwise.core.work.InternalFailure}), and how many things are put in order ({@link
 * io.slotwise.core.work.KeyOrder}).
 */
@NullMarked
package io.slotwise.core.work;

import org.jspecify.annotations.NullMarked;
