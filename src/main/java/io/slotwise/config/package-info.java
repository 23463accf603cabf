/** The files and properties that an admin writes, and what they become: {@link io.slotwise.live.Settings}. */
@NullMarked
package io.slotwise.config;

import org.jspecify.annotations.NullMarked;
