@NullMarked
package io.slotwise.core.gang;

import org.jspecify.annotations.NullMarked;
