@NullMarked
package io.slotwise.core.booking;

import org.jspecify.annotations.NullMarked;
