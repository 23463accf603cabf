/** Runs the benchmarks and makes tables of them: what {@code ./slotwise bench} does. */
@NullMarked
package io.slotwise.bench;

import org.jspecify.annotations.NullMarked;
