@NullMarked
package io.slotwise.core.slot;

import org.jspecify.annotations.NullMarked;
