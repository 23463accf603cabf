/**
 * Sources of random numbers: generators of the platform, for {@code core}, which has none of its own, and for all other
 * draws.
 */
@NullMarked
package io.slotwise.random;

import org.jspecify.annotations.NullMarked;
