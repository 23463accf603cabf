@NullMarked
package io.slotwise.core.window;

import org.jspecify.annotations.NullMarked;
