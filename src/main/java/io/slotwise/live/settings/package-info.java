/**
 * What an admin may set, as the loop uses it.
 *
 * <p>{@link io.slotwise.live.settings.LoopSettings} are the settings of one moment, {@link
 * io.slotwise.live.settings.CurrentSettings} is who tells the newest, {@link io.slotwise.live.settings.TimeValues}
 * says what an hour is worth to gangs that do not say it. They are read by {@code config}; a new key is a component
 * here, with its default, and a line there.
 */
@NullMarked
package io.slotwise.live.settings;

import org.jspecify.annotations.NullMarked;
