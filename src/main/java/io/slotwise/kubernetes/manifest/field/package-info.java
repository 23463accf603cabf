/**
 * Reading of single values, and reports about values that cannot be read.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.field.AnnotationKeys} lists all keys. {@link
 * io.slotwise.kubernetes.manifest.field.AnnotationReader} reads their values and collects problems ({@link
 * io.slotwise.kubernetes.manifest.field.ManifestFlaw}). {@link io.slotwise.kubernetes.manifest.field.Annotations}
 * returns one value as it is written. {@link io.slotwise.kubernetes.manifest.field.QuantityAmounts} and {@link
 * io.slotwise.kubernetes.manifest.field.Intervals} read quantities and times. An {@link
 * io.slotwise.kubernetes.manifest.field.IntakeWarning} is a note for an admin that is no gang's fault.
 *
 * <p>A new annotation is a constant of {@code AnnotationKeys} and a row of the chart's admission rules. Its value is
 * read in the package of its subject.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.field;

import org.jspecify.annotations.NullMarked;
