/**
 * Advance reservations among the objects: the pods that stand for their seats, and which are too large.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.holds;

import org.jspecify.annotations.NullMarked;
