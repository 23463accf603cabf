/**
 * The room and the money that a planning run has given out. A window takes both or neither, so both have one place
 * where they are taken and given back.
 *
 * <p>Flow: a run begins with the cluster's timeline and the namespaces' accounts. Each step of a cycle looks for
 * windows on what is left, takes what it decides on, and gives back what it takes from a gang. What is only tried is
 * taken or given back around the look, see {@link io.slotwise.core.booking.Bookings#without}, so that a look cannot
 * forget to restore what it found.
 *
 * <p>Invariant: between two steps every window and every promise of a gang that waits has its room and its money, once.
 */
@NullMarked
package io.slotwise.core.booking;

import org.jspecify.annotations.NullMarked;
