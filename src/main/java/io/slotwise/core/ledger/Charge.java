package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.Map;

/**
 * What a gang is charged when it has ended.
 *
 * @param charged for the seconds inside the promise, never more than it
 * @param overrun for the seconds of each pod beyond its planned time
 * @param processorTime how long its pods ran, all together, seconds
 */
public record Charge(Cost charged, Cost overrun, long processorTime) {
    /** Nothing. */
    public static final Charge NOTHING = new Charge(Cost.ZERO, Cost.ZERO);

    public Charge {
        if (charged.compareTo(Cost.ZERO) < 0 || overrun.compareTo(Cost.ZERO) < 0 || processorTime < 0) {
            throw new IllegalArgumentException(
                    "A charge (%s), its overrun (%s) and its processor time (%d s) must not be negative."
                            .formatted(charged, overrun, processorTime));
        }
    }

    /** A charge of which the processor time is not known: it counts as none. */
    public Charge(Cost charged, Cost overrun) {
        this(charged, overrun, 0);
    }

    /**
     * How long the pods of a gang ran.
     *
     * @param startedAt when all of them started, seconds since the epoch
     * @param ends when each one ended, by pod
     * @param endedAt when the last one had ended: the end of a pod that {@code ends} does not have
     * @param lockstep every pod is charged until the last one ends
     */
    public record Course(long startedAt, Map<String, Long> ends, long endedAt, boolean lockstep) {
        public Course {
            ends = Map.copyOf(ends);
        }

        private long seconds(String pod) {
            return Math.max(0, ends.getOrDefault(pod, endedAt) - startedAt);
        }
    }

    /** What a window costs whose pods ran like this; O(places). */
    public static Charge of(Window window, PromiseTariff tariff, Course course) {
        long longest = window.placements().stream()
                .mapToLong(place -> course.seconds(place.pod()))
                .max()
                .orElse(0);
        Charge sum = NOTHING;
        for (Placement place : window.placements()) {
            long seconds = course.lockstep() ? longest : course.seconds(place.pod());
            Cost inside = tariff.cost(place, Math.min(seconds, place.end() - place.start()));
            Cost all = tariff.cost(place, seconds);
            sum = sum.plus(new Charge(inside, all.minus(inside), seconds));
        }
        return sum;
    }

    /** The same of pods that ran so long, all together. */
    public Charge lasting(long seconds) {
        return new Charge(charged, overrun, seconds);
    }

    /** Both together. */
    public Cost total() {
        return charged.plus(overrun);
    }

    /** The sum. */
    public Charge plus(Charge other) {
        return new Charge(
                charged.plus(other.charged),
                overrun.plus(other.overrun),
                Math.min(processorTime, Long.MAX_VALUE - other.processorTime) + other.processorTime);
    }
}
