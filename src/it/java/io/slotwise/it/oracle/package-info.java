/** kube-scheduler's own filters as the judge of what the planner takes for possible. */
@NullMarked
package io.slotwise.it.oracle;

import org.jspecify.annotations.NullMarked;
