package io.slotwise.core.plan;

import io.slotwise.core.window.Window;

/** A change that makes a gang start, or start earlier, with the window that the planner then gives it. */
public record Advice(RequestChange change, Window window) {}
