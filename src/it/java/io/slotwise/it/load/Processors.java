package io.slotwise.it.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The processor time of the API server and of a contender, read again and again. */
final class Processors {
    private final List<Reading> readings = new ArrayList<>();

    /** What both had taken at an instant. */
    record Reading(Instant at, Duration server, Duration own) {}

    /**
     * What was taken between two instants.
     *
     * @param server by the API server, seconds
     * @param own by the contender's programs
     */
    record Cost(double server, double own) {
        /** Of the API server, milliseconds a pod; not a number without one. */
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

    /**
     * What was taken between the first reading and the first one at {@code until} or later, the last one if there is
     * none.
     */
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
