package io.slotwise.it.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The processor time of the API server and of a scheduler, read repeatedly. */
final class Processors {
    private final List<Reading> readings = new ArrayList<>();

    /** The processor times up to an instant. */
    record Reading(Instant at, Duration server, Duration own) {}

    /**
     * The processor time between two instants.
     *
     * @param server of the API server, seconds
     * @param own of the scheduler's programs, seconds
     */
    record Cost(double server, double own) {
        /** Milliseconds of the API server a pod. NaN without pods. */
        double serverMillisPerPod(int pods) {
            return pods == 0 ? Double.NaN : server * 1000 / pods;
        }

        double ownMillisPerPod(int pods) {
            return pods == 0 ? Double.NaN : own * 1000 / pods;
        }
    }

    void add(Reading reading) {
        readings.add(reading);
    }

    /** The processor time from the first reading to the first one at {@code until} or later, or to the last one. */
    Cost until(Instant until) {
        Reading from = readings.getFirst();
        Reading to = readings.stream()
                .filter(reading -> !reading.at().isBefore(until))
                .findFirst()
                .orElse(readings.getLast());
        return new Cost(
                seconds(to.server().minus(from.server())), seconds(to.own().minus(from.own())));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
