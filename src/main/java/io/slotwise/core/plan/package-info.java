@NullMarked
package io.slotwise.core.plan;

import org.jspecify.annotations.NullMarked;
