/** Advance reservations among the objects: artificial pods for their seats, and limits of their size. */
@NullMarked
package io.slotwise.kubernetes.manifest.holds;

import org.jspecify.annotations.NullMarked;
