package io.slotwise.core.plan;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;

/**
 * The binding part of a promise with slack, regardless of the expected window. It never gets worse.
 *
 * @param start the latest start, seconds since the epoch
 * @param end the latest end, seconds since the epoch
 * @param cost the most that it costs
 */
public record PromiseBound(long start, long end, Cost cost) {
    /** Returns the bound of a promise that is the window itself. */
    public static PromiseBound of(Window window) {
        return new PromiseBound(window.start(), window.end(), window.cost());
    }

    public boolean holds(Window window) {
        return window.start() <= start && window.end() <= end && window.cost().compareTo(cost) <= 0;
    }
}
