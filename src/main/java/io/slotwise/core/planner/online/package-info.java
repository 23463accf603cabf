/** Gangs that do not wait for the batch: each gets a window in one resource domain when it arrives. */
@NullMarked
package io.slotwise.core.planner.online;

import org.jspecify.annotations.NullMarked;
