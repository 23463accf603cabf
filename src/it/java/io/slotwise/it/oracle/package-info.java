/** kube-scheduler's own filters and the API server as judges of the planner and of manifests. */
@NullMarked
package io.slotwise.it.oracle;

import org.jspecify.annotations.NullMarked;
