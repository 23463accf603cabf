@NullMarked
package io.slotwise.lab.workload;

import org.jspecify.annotations.NullMarked;
