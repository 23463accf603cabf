/**
 * The resources {@code reservations.slotwise.io}, {@code ledgers.slotwise.io} and {@code runhistories.slotwise.io},
 * version v1alpha1, as they are on the wire. Instants are RFC 3339 text in UTC with whole seconds, and amounts of money
 * are text with six decimals. Every shown cost has an exact one next to it, so that a plan read back from the API
 * server is the plan that was written. Deserialization passes null for absent fields, also to components that are not
 * nullable; the compact constructors replace these.
 */
@NullMarked
package io.slotwise.kubernetes.crd.v1alpha1;

import org.jspecify.annotations.NullMarked;
