@NullMarked
package io.slotwise.core.backfill;

import org.jspecify.annotations.NullMarked;
