package io.slotwise.core.ledger;

import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;

/** The part of a run beyond its promise, up to the end of its next grace. The days on which it runs pay for it. */
public record Overrun(Window window, PromiseTariff tariff, Charge.Course course) {
    /** Returns the first second after the run, or after its next grace, since the epoch. */
    long end() {
        return course.ends().values().stream().reduce(course.endedAt(), Math::max);
    }

    /** Returns the first second that may cost more than promised, since the epoch. O(placements). */
    long start() {
        long soonest = course.sizes().equals(PodSizes.NONE) ? Integer.MAX_VALUE : 0;
        for (Placement placement : window.placements()) {
            soonest = Math.min(soonest, placement.end() - placement.start());
        }
        return course.startedAt() + soonest;
    }

    /** Returns the cost of the seconds in [from, to). O(placements). */
    Charge between(long from, long to) {
        return Charge.beyond(window, tariff, course.until(to)).since(Charge.beyond(window, tariff, course.until(from)));
    }
}
