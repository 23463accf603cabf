/**
 * Where random numbers come from: generators of the platform, for {@code core}, which has none of its own, and for all
 * that is drawn outside it.
 */
@NullMarked
package io.slotwise.random;

import org.jspecify.annotations.NullMarked;
