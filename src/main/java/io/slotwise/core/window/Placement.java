package io.slotwise.core.window;

import io.slotwise.core.money.Cost;

/** One pod of a window, by its plain name, on its node from {@code start} until before {@code end}; its exact cost. */
public record Placement(String pod, String node, long start, long end, Cost cost) {}
