@NullMarked
package io.slotwise.live;

import org.jspecify.annotations.NullMarked;
