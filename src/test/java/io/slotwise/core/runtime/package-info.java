@NullMarked
package io.slotwise.core.runtime;

import org.jspecify.annotations.NullMarked;
