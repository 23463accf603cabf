/**
 * The room and the money that a planning run has given out. A window takes both or neither, so both have one place
 * where they are taken and given up.
 *
 * <p>Flow: a run begins with the cluster's timeline and the namespaces' accounts. Each step of a cycle looks for
 * windows on what is left, takes what it decides on, and gives up what it takes from a gang. What does not come off is
 * rolled back to a mark, see {@link io.slotwise.core.booking.Bookings#rollbackTo}, so no step restores by hand what it
 * found.
 *
 * <p>Invariant: between two steps every window and every promise of a gang that waits has its room and its money, once.
 */
@NullMarked
package io.slotwise.core.booking;

import org.jspecify.annotations.NullMarked;
