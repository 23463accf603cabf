/**
 * How single values are read, and how it is said that one cannot be.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.field.AnnotationKeys} has all names, {@link
 * io.slotwise.kubernetes.manifest.field.AnnotationReader} reads the values under them and collects what is wrong
 * ({@link io.slotwise.kubernetes.manifest.field.ManifestFlaw}), {@link
 * io.slotwise.kubernetes.manifest.field.Annotations} hands one out as it is written, {@link
 * io.slotwise.kubernetes.manifest.field.QuantityAmounts} and {@link io.slotwise.kubernetes.manifest.field.Intervals}
 * know quantities and times. {@link io.slotwise.kubernetes.manifest.field.IntakeWarning} is what an admin should know
 * without a gang being at fault.
 *
 * <p>A new annotation is a constant of the keys and a row of the chart's admission rules; its reading goes where its
 * subject is.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.field;

import org.jspecify.annotations.NullMarked;
