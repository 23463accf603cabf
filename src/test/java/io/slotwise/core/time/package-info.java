@NullMarked
package io.slotwise.core.time;

import org.jspecify.annotations.NullMarked;
