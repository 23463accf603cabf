/** What this replica writes to the cluster: Reservations, events, and the release of pods. */
@NullMarked
package io.slotwise.kubernetes.publish;

import org.jspecify.annotations.NullMarked;
