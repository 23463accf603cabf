/**
 * The API server's own judgement of objects that were written in files.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.schema.ObjectSchema} knows the fields of each kind and what may stand in
 * them: {@code fields.txt} has their types as the API server serves them, {@code rules.txt} what its validation wants
 * of
 * single fields. {@link io.slotwise.kubernetes.manifest.schema.PodRules} has the rules that span several fields of a
 * pod.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.schema;

import org.jspecify.annotations.NullMarked;
