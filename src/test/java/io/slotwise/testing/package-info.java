/** Builders and fakes for tests. */
@NullMarked
package io.slotwise.testing;

import org.jspecify.annotations.NullMarked;
