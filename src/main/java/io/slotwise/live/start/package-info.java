/**
 * What starts gangs in their seconds.
 *
 * <p>{@link io.slotwise.live.start.GangStarter} waits on a {@link io.slotwise.live.start.Ticker} for the next window,
 * writes that the gang starts, and has its pods bound or released. {@link io.slotwise.live.start.StartTimes} says how
 * long a start may take, {@link io.slotwise.live.start.WindowsInTransit} what room gangs hold that are on their way,
 * {@link io.slotwise.live.start.ToldStarts} which starts have been told, {@link
 * io.slotwise.live.start.Waits} why a pod does not start yet.
 *
 * <p>Invariant: no pod goes anywhere before the write is durable that says so. A start does not wait for a cycle, and
 * a cycle does not wait for a start.
 */
@NullMarked
package io.slotwise.live.start;

import org.jspecify.annotations.NullMarked;
