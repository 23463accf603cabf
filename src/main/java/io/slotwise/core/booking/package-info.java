/**
 * The room and the money that a planning run has given out. A window takes both or neither, so both are taken and given
 * up in one place.
 *
 * <p>Flow: a run begins with the cluster's timeline and the namespaces' accounts. Each step of a cycle searches windows
 * on what is left, books its decisions, and gives up what it takes from a gang. A change that is not kept is rolled
 * back to a mark, see {@link io.slotwise.core.booking.Bookings#rollbackTo}. So no step restores state by hand.
 *
 * <p>Invariant: between two steps every window and every promise of a waiting gang has its room and its money, once.
 */
@NullMarked
package io.slotwise.core.booking;

import org.jspecify.annotations.NullMarked;
