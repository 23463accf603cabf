/**
 * Gangs and reservations that a user describes in words.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.inquiry.Inquiry} makes pods of a described gang and lets the intake read
 * them, {@link io.slotwise.kubernetes.manifest.inquiry.ReservationManifest} writes the manifest of an advance
 * reservation. A field that cannot be read is refused by its own name.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.inquiry;

import org.jspecify.annotations.NullMarked;
