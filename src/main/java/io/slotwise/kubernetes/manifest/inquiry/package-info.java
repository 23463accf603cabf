/**
 * Gangs and advance reservations from a user's description.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.inquiry.Inquiry} makes pods from a description of a gang and lets the
 * intake read them. {@link io.slotwise.kubernetes.manifest.inquiry.ReservationManifest} writes the manifest of an
 * advance reservation. {@link io.slotwise.kubernetes.manifest.inquiry.GangCheck} and {@link
 * io.slotwise.kubernetes.manifest.inquiry.ForeignKeys} say what becomes of given objects. A field that cannot be read
 * is refused by its own name.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.inquiry;

import org.jspecify.annotations.NullMarked;
