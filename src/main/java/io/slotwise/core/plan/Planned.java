package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;

/**
 * A gang with its window.
 *
 * @param gang which
 * @param window when, where and for how much
 * @param via which part of the cycle gave it
 * @param kept true if this is the promise that the gang already had, unchanged
 */
public record Planned(Gang gang, Window window, Via via, boolean kept) {}
