/** What this replica sees of the cluster, kept by informers; nothing here writes. */
@NullMarked
package io.slotwise.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
