/**
 * Advance reservations: room that is not promised to any pods yet. To the {@link io.slotwise.core.planner.Planner} one
 * is a gang like any other, with a window of its own; {@link io.slotwise.core.reservation.ReservationClaims} seats the
 * gang that names it inside that window, beside the planner.
 *
 * <pre>
 *  Snapshot -> Takeovers.left() -> Planner -> Takeovers.carriedOut(plan)
 * </pre>
 *
 * <p>Invariant: until a gang has started, the room belongs to the reservation alone. A gang that is promised a part of
 * it is not among the planner's requests, and its pods that are already bound there are not in the planner's way; so
 * whatever becomes of the gang, no other gang has been given its room meanwhile.
 */
@NullMarked
package io.slotwise.core.reservation;

import org.jspecify.annotations.NullMarked;
