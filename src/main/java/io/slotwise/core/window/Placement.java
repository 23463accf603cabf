package io.slotwise.core.window;

import io.slotwise.core.money.Cost;

/**
 * One pod of a window.
 *
 * @param pod its plain name
 * @param node where it runs
 * @param start first second, since the epoch
 * @param end first second after its planned end
 * @param cost exact
 */
public record Placement(String pod, String node, long start, long end, Cost cost) {}
