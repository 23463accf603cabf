@NullMarked
package io.slotwise.core.text;

import org.jspecify.annotations.NullMarked;
