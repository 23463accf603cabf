/**
 * The resources {@code reservations.slotwise.io} and {@code ledgers.slotwise.io}, version v1alpha1, exactly as they are
 * on the wire: instants are RFC 3339 text in UTC with whole seconds, amounts of money are text with six decimals.
 * Beside every shown cost stands the exact one, so that a plan read back from the API server is the plan that was
 * written.
 */
@NullMarked
package io.slotwise.kubernetes.crd.v1alpha1;

import org.jspecify.annotations.NullMarked;
