/** What a person at a terminal sees of a cluster: a running Slotwise behind the API server, and the Reservations. */
@NullMarked
package io.slotwise.kubernetes.kubectl;

import org.jspecify.annotations.NullMarked;
