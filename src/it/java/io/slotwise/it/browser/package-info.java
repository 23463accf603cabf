/**
 * The board in a headless Chromium. Pages, headers and events are those of the program. The cluster behind them is an
 * {@link io.slotwise.testing.ExampleDay} or {@link io.slotwise.testing.ManyBars}.
 *
 * <p>The tests need Debian's {@code chromium} and {@code chromium-driver}, which {@code ./slotwise test} installs where
 * it may. Pictures are saved in {@code target/pictures}, or in the folder {@code -Dslotwise.pictures}.
 */
@NullMarked
package io.slotwise.it.browser;

import org.jspecify.annotations.NullMarked;
