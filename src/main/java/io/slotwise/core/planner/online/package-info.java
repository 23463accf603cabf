/**
 * Gangs that do not wait for the batch: each gets a window in one resource domain as it comes.
 */
@NullMarked
package io.slotwise.core.planner.online;

import org.jspecify.annotations.NullMarked;
