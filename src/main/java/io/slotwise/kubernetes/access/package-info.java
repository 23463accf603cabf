/** Who calls, and what they may do, as the cluster's API server says. */
@NullMarked
package io.slotwise.kubernetes.access;

import org.jspecify.annotations.NullMarked;
