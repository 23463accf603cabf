package io.slotwise.core.plan;

import io.slotwise.core.window.Window;

/**
 * A window that was published: it moves only for the better, or for a cause.
 *
 * @param window as published, with its frozen prices
 * @param via which part of the cycle gave it
 * @param released the gang's pods are on their way to their nodes: the window is kept as it is while it holds
 */
public record Promise(Window window, Via via, boolean released) {}
