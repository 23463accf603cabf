/**
 * The board in a real Chromium without its window: the pages, their headers and their feed are those of the program,
 * the cluster behind them is an {@link io.slotwise.testing.ExampleDay} or {@link io.slotwise.testing.ManyBars}.
 *
 * <p>Debian's {@code chromium} and {@code chromium-driver} are what drives it; {@code ./slotwise test} installs them
 * where it may. Pictures are left in {@code target/pictures}, or where {@code -Dslotwise.pictures} says.
 */
@NullMarked
package io.slotwise.it.browser;

import org.jspecify.annotations.NullMarked;
