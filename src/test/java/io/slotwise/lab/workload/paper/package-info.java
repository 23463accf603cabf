@NullMarked
package io.slotwise.lab.workload.paper;

import org.jspecify.annotations.NullMarked;
