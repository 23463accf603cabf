@NullMarked
package io.slotwise.workload;

import org.jspecify.annotations.NullMarked;
