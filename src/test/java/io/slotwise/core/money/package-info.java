@NullMarked
package io.slotwise.core.money;

import org.jspecify.annotations.NullMarked;
