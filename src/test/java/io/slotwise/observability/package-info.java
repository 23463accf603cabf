/** Tests of metrics, health and the log. */
@NullMarked
package io.slotwise.observability;

import org.jspecify.annotations.NullMarked;
