/**
 * The settings of an admin, as the loop uses them.
 *
 * <p>{@link io.slotwise.live.settings.LoopSettings} are the settings of one moment, and {@link
 * io.slotwise.live.settings.CurrentSettings} provides the newest ones. {@link io.slotwise.live.settings.TimeValues} is
 * the value of an hour for gangs that state none. {@code config} reads them; a new key is a component with a default
 * here, and a line there.
 */
@NullMarked
package io.slotwise.live.settings;

import org.jspecify.annotations.NullMarked;
