package io.slotwise.core.plan;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;

/**
 * What binds of a promise with slack, whatever window the gang is expected in: it never moves for the worse.
 *
 * @param start the latest start, seconds since the epoch
 * @param end the latest end, seconds since the epoch
 * @param cost the most that it costs
 */
public record PromiseBound(long start, long end, Cost cost) {
    /** Where the window itself is what is promised. */
    public static PromiseBound of(Window window) {
        return new PromiseBound(window.start(), window.end(), window.cost());
    }

    public boolean holds(Window window) {
        return window.start() <= start && window.end() <= end && window.cost().compareTo(cost) <= 0;
    }
}
