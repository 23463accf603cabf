/**
 * The API server's validation, for objects in files.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.schema.ObjectSchema} knows the fields of each kind and their values: {@code
 * fields.txt} has the types as the API server serves them, and {@code rules.txt} its validation of single fields.
 * {@link io.slotwise.kubernetes.manifest.schema.PodRules} has the rules across several fields of a pod.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.schema;

import org.jspecify.annotations.NullMarked;
