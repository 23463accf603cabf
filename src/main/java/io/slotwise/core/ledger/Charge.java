package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What a gang is charged when it has ended.
 *
 * @param chargedCost for the seconds inside the promise, never more than it
 * @param overrunCost for the seconds of each pod beyond its planned time
 */
public record Charge(Cost chargedCost, Cost overrunCost, long processorTime) {
    public static final Charge NOTHING = new Charge(Cost.ZERO, Cost.ZERO);

    public Charge {
        if (chargedCost.compareTo(Cost.ZERO) < 0 || overrunCost.compareTo(Cost.ZERO) < 0 || processorTime < 0) {
            throw new IllegalArgumentException(
                    "A charge (%s), its overrun (%s) and its processor time (%d s) must not be negative."
                            .formatted(chargedCost, overrunCost, processorTime));
        }
    }

    /** A charge of which the processor time is not known: it counts as none. */
    public Charge(Cost chargedCost, Cost overrunCost) {
        this(chargedCost, overrunCost, 0);
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

        /** The seconds that each place of a window is charged, in its order. O(places). */
        private long[] seconds(Window window) {
            long[] seconds = window.placements().stream()
                    .mapToLong(placement -> seconds(placement.pod()))
                    .toArray();
            if (lockstep) {
                Arrays.fill(seconds, Arrays.stream(seconds).max().orElse(0));
            }
            return seconds;
        }

        /** The same as far as it had gone at a second. */
        Course until(long second) {
            Map<String, Long> capped = new HashMap<>(ends);
            capped.replaceAll((_, end) -> Math.min(end, second));
            return new Course(startedAt, capped, Math.min(endedAt, second), lockstep);
        }
    }

    /** What a window costs whose pods ran like this; O(places). */
    public static Charge of(Window window, PromiseTariff tariff, Course course) {
        long[] seconds = course.seconds(window);
        Charge charge = beyond(window, tariff, seconds);
        for (int i = 0; i < seconds.length; i++) {
            Placement placement = window.placements().get(i);
            long inside = Math.min(seconds[i], placement.end() - placement.start());
            charge = charge.plus(new Charge(tariff.cost(placement, inside), Cost.ZERO, inside));
        }
        return charge;
    }

    /** The part of that beyond the promise; O(places). */
    public static Charge beyond(Window window, PromiseTariff tariff, Course course) {
        return beyond(window, tariff, course.seconds(window));
    }

    private static Charge beyond(Window window, PromiseTariff tariff, long[] seconds) {
        Charge charge = NOTHING;
        for (int i = 0; i < seconds.length; i++) {
            Placement placement = window.placements().get(i);
            long planned = placement.end() - placement.start();
            if (seconds[i] > planned) {
                Cost moreCost = tariff.cost(placement, seconds[i]).minus(tariff.cost(placement, planned));
                charge = charge.plus(new Charge(Cost.ZERO, moreCost, seconds[i] - planned));
            }
        }
        return charge;
    }

    /** What is left of this charge beyond an earlier one of the same run. */
    Charge since(Charge charge) {
        return new Charge(
                chargedCost.minus(charge.chargedCost).orNothing(),
                overrunCost.minus(charge.overrunCost).orNothing(),
                Math.max(0, processorTime - charge.processorTime));
    }

    /** The same of pods that ran so long, all together. */
    public Charge lasting(long seconds) {
        return new Charge(chargedCost, overrunCost, seconds);
    }

    public Cost total() {
        return chargedCost.plus(overrunCost);
    }

    public Charge plus(Charge other) {
        return new Charge(
                chargedCost.plus(other.chargedCost),
                overrunCost.plus(other.overrunCost),
                Math.min(processorTime, Long.MAX_VALUE - other.processorTime) + other.processorTime);
    }
}
