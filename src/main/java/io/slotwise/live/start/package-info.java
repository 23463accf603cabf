/**
 * Starts gangs on time.
 *
 * <p>{@link io.slotwise.live.start.GangStarter} waits on a {@link io.slotwise.live.start.Ticker} for the next window,
 * writes that the gang starts, and has its pods bound or released. {@link io.slotwise.live.start.StartTimes} limits the
 * time of a start, {@link io.slotwise.live.start.WindowsInTransit} knows the room of gangs on their way, {@link
 * io.slotwise.live.start.ReportedStarts} knows the announced starts, and {@link io.slotwise.live.start.Waits} explains
 * why a pod does not start yet.
 *
 * <p>Invariant: no pod is sent anywhere before the write of its start is durable. A start does not wait for a cycle,
 * nor a cycle for a start.
 */
@NullMarked
package io.slotwise.live.start;

import org.jspecify.annotations.NullMarked;
