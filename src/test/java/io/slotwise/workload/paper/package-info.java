@NullMarked
package io.slotwise.workload.paper;

import org.jspecify.annotations.NullMarked;
