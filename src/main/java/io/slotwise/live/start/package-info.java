/**
 * Starts gangs on time.
 *
 * <p>{@link io.slotwise.live.start.GangStarter} waits on a {@link io.slotwise.live.start.Ticker} for the next window,
 * and has its pods bound, or writes that the gang starts and releases them. {@link io.slotwise.live.start.StartTimes}
 * limits the time of a start, {@link io.slotwise.live.start.WindowsInTransit} knows the room of gangs on their way, and
 * {@link io.slotwise.live.start.Waits} explains why a pod does not start yet.
 *
 * <p>Invariant: no second pod is bound, and none is released, before its gang's start is durable. A start does not wait
 * for a cycle, nor a cycle for a start.
 */
@NullMarked
package io.slotwise.live.start;

import org.jspecify.annotations.NullMarked;
