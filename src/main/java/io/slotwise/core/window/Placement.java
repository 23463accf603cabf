package io.slotwise.core.window;

import io.slotwise.core.money.Cost;

/** A pod of a window, by its plain name, on a node from {@code start} until before {@code end}. The cost is exact. */
public record Placement(String pod, String node, long start, long end, Cost cost) {}
