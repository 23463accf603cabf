@NullMarked
package io.slotwise.core.reservation;

import org.jspecify.annotations.NullMarked;
