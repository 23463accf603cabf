/** What others wrote, as it may be shown. */
@NullMarked
package io.slotwise.core.text;

import org.jspecify.annotations.NullMarked;
