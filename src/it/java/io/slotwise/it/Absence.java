package io.slotwise.it;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * A time without a working Slotwise.
 *
 * @param from when Slotwise died
 * @param until when it had planned again
 */
record Absence(Instant from, Instant until) {
    boolean has(Instant instant) {
        return !instant.isBefore(from) && !instant.isAfter(until);
    }

    /** Returns how long Slotwise was working between two instants. Precondition: absences do not overlap. */
    static Duration present(Collection<Absence> absences, Instant begin, Instant end) {
        return absences.stream()
                .map(absence -> absence.within(begin, end))
                .reduce(Duration.between(begin, end), Duration::minus);
    }

    private Duration within(Instant begin, Instant end) {
        Instant first = begin.isAfter(from) ? begin : from;
        Instant last = end.isBefore(until) ? end : until;
        return first.isBefore(last) ? Duration.between(first, last) : Duration.ZERO;
    }
}
