/**
 * Advance reservations: room that is not promised to any pods yet. To the {@link io.slotwise.core.planner.Planner} a
 * reservation is a gang like any other, with a window of its own. {@link
 * io.slotwise.core.reservation.ReservationAssignments} assigns the gang that names it to that window, outside the
 * planner.
 * <pre>
 *  Snapshot -> ReservationAssignments.left() -> Planner -> ReservationAssignments.carriedOut(plan)
 * </pre>
 *
 * <p>Invariant: until a gang has started, the room belongs to the reservation alone. A gang with a promised part of it
 * is not among the planner's requests, and its pods that are already bound there are hidden from the planner. So no
 * other gang gets the room, whatever becomes of the gang.
 */
@NullMarked
package io.slotwise.core.reservation;

import org.jspecify.annotations.NullMarked;
