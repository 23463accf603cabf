@NullMarked
package io.slotwise.core;

import org.jspecify.annotations.NullMarked;
