/** The standard workload format, read and written. */
@NullMarked
package io.slotwise.lab.workload.swf;

import org.jspecify.annotations.NullMarked;
