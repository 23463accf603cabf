/** Work that a host may do on several threads. */
@NullMarked
package io.slotwise.core.work;

import org.jspecify.annotations.NullMarked;
