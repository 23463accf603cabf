package io.slotwise.core.plan;

import io.slotwise.core.window.Window;

/**
 * A change that makes a gang start, or start earlier.
 *
 * @param change what to ask for in another way
 * @param window what the planner gives the gang then, beside all other gangs' windows
 */
public record Advice(RequestChange change, Window window) {}
