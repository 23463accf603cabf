@NullMarked
package io.slotwise.core.window.baseline;

import org.jspecify.annotations.NullMarked;
