package io.slotwise.core.plan;

import io.slotwise.core.window.Window;

/** A change that makes a gang start, or start earlier, and the window that the planner gives it then. */
public record Advice(RequestChange change, Window window) {}
