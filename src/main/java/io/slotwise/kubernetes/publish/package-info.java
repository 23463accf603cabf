/** What Slotwise writes to the cluster: reservations, events, and the release of gates. */
@NullMarked
package io.slotwise.kubernetes.publish;

import org.jspecify.annotations.NullMarked;
