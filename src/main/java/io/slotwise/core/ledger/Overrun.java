package io.slotwise.core.ledger;

import io.slotwise.core.window.Window;

/** The part of a run beyond its promise, up to the end of its next grace, which the days pay on which it runs. */
public record Overrun(Window window, PromiseTariff tariff, Charge.Course course) {
    /** The first second after the run, or after its next grace, since the epoch. */
    long end() {
        return course.ends().values().stream().reduce(course.endedAt(), Math::max);
    }

    /** The first second that may be beyond the promise, since the epoch. O(places). */
    long start() {
        return course.startedAt()
                + window.placements().stream()
                        .mapToLong(placement -> placement.end() - placement.start())
                        .min()
                        .orElse(0);
    }

    /** What the seconds in [from, to) cost. O(places). */
    Charge between(long from, long to) {
        return Charge.beyond(window, tariff, course.until(to)).since(Charge.beyond(window, tariff, course.until(from)));
    }
}
