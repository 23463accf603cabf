package io.slotwise.core.ledger;

import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;

/** The part of a run beyond its promise, up to the end of its next grace, which the days pay on which it runs. */
public record Overrun(Window window, PromiseTariff tariff, Charge.Course course) {
    /** The first second after the run, or after its next grace, since the epoch. */
    long end() {
        return course.ends().values().stream().reduce(course.endedAt(), Math::max);
    }

    /** The first second that may cost more than promised, since the epoch. O(places). */
    long start() {
        long soonest = course.sizes().equals(PodSizes.NONE) ? Integer.MAX_VALUE : 0;
        for (Placement placement : window.placements()) {
            soonest = Math.min(soonest, placement.end() - placement.start());
        }
        return course.startedAt() + soonest;
    }

    /** What the seconds in [from, to) cost. O(places). */
    Charge between(long from, long to) {
        return Charge.beyond(window, tariff, course.until(to)).since(Charge.beyond(window, tariff, course.until(from)));
    }
}
