/** Runs the benchmarks and makes tables of them for {@code ./slotwise bench}. */
@NullMarked
package io.slotwise.bench;

import org.jspecify.annotations.NullMarked;
