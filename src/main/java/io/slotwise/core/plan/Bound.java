package io.slotwise.core.plan;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;

/**
 * What binds of a promise with slack, whatever window the gang is expected in: it never moves for the worse.
 *
 * @param start the latest start, seconds since the epoch
 * @param end the latest end, seconds since the epoch
 * @param cost the most that it costs; a gang of the criterion {@code value} may pay more for an end before {@code end}, as much as that is worth to it
 */
public record Bound(long start, long end, Cost cost) {
    /** Where the window itself is what is promised. */
    public static Bound of(Window window) {
        return new Bound(window.start(), window.end(), window.cost());
    }

    /** Whether a window of the gang keeps it. */
    public boolean holds(Window window, Gang gang) {
        return window.start() <= start && window.end() <= end && isWorthItsCost(window, gang);
    }

    /** A gang that says what its time is worth pays for an earlier end what that is worth to it, at most. */
    private boolean isWorthItsCost(Window window, Gang gang) {
        return gang.criterion() == Criterion.VALUE
                ? window.costWithDelay(gang) <= Window.sum(cost.microSecondsPerHour(), gang.delay(end))
                : window.cost().compareTo(cost) <= 0;
    }

    /** The most that a window of the gang may cost whenever it ends; its {@link #holds} says what one that ends at some second may. */
    Cost most(Gang gang) {
        return gang.criterion() == Criterion.VALUE ? Cost.UNLIMITED : cost;
    }
}
