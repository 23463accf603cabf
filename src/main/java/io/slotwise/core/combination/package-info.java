@NullMarked
package io.slotwise.core.combination;

import org.jspecify.annotations.NullMarked;
