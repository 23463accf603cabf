/** What is counted. */
@NullMarked
package io.slotwise.observability;

import org.jspecify.annotations.NullMarked;
