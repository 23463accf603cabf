package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The charge of a gang that has ended.
 *
 * @param chargedCost the charged cost for the seconds inside the promise, never more than the promised cost
 * @param overrunCost the overrun cost for the seconds of each pod beyond its planned time, and for what it took beyond
 *     its promised size
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

    /** A charge of unknown processor time, which counts as zero. */
    public Charge(Cost chargedCost, Cost overrunCost) {
        this(chargedCost, overrunCost, 0);
    }

    /**
     * The times at which the pods of a gang ran.
     *
     * @param startedAt when all of them had started, seconds since the epoch
     * @param ends the end of each pod, by pod
     * @param endedAt when the last one had ended: the end of a pod that is not in {@code ends}
     * @param lockstep every pod is charged until the last one ends
     * @param sizes the sizes of pods that were resized
     */
    public record Course(long startedAt, Map<String, Long> ends, long endedAt, boolean lockstep, PodSizes sizes) {
        public Course {
            ends = Map.copyOf(ends);
        }

        public Course(long startedAt, Map<String, Long> ends, long endedAt, boolean lockstep) {
            this(startedAt, ends, endedAt, lockstep, PodSizes.NONE);
        }

        private long seconds(String pod) {
            return Math.max(0, ends.getOrDefault(pod, endedAt) - startedAt);
        }

        /** Returns the charged seconds of each placement of a window, in its order. O(placements). */
        private long[] seconds(Window window) {
            long[] seconds = window.placements().stream()
                    .mapToLong(placement -> seconds(placement.pod()))
                    .toArray();
            if (lockstep) {
                Arrays.fill(seconds, Arrays.stream(seconds).max().orElse(0));
            }
            return seconds;
        }

        /** Returns the times as they were at a second. */
        Course until(long second) {
            Map<String, Long> capped = new HashMap<>(ends);
            capped.replaceAll((_, end) -> Math.min(end, second));
            return new Course(startedAt, capped, Math.min(endedAt, second), lockstep, sizes.until(second));
        }
    }

    /** Returns the charge of a window whose pods ran like this. O(placements). */
    public static Charge of(Window window, PromiseTariff tariff, Course course) {
        long[] seconds = course.seconds(window);
        Charge charge = course.sizes().sum();
        for (int i = 0; i < seconds.length; i++) {
            charge = charge.plus(sinceResize(window.placements().get(i), tariff, course, seconds[i])
                    .lasting(seconds[i]));
        }
        return charge;
    }

    /** Returns the part beyond the promise. O(placements). */
    public static Charge beyond(Window window, PromiseTariff tariff, Course course) {
        long[] seconds = course.seconds(window);
        Charge charge = new Charge(Cost.ZERO, course.sizes().sum().overrunCost);
        for (int i = 0; i < seconds.length; i++) {
            Placement placement = window.placements().get(i);
            long late = Math.max(0, seconds[i] - (placement.end() - placement.start()));
            if (late > 0 || course.sizes().part(placement.pod()) > PodSizes.PROMISED) {
                charge = charge.plus(
                        new Charge(Cost.ZERO, sinceResize(placement, tariff, course, seconds[i]).overrunCost, late));
            }
        }
        return charge;
    }

    /** Returns the charge of one placement since the last resize. Cost above the promise is overrun. */
    private static Charge sinceResize(Placement placement, PromiseTariff tariff, Course course, long to) {
        PodSizes sizes = course.sizes();
        long from = Math.clamp(sizes.since(), course.startedAt(), course.startedAt() + to) - course.startedAt();
        long planned = placement.end() - placement.start();
        Cost cost = between(placement, tariff, Math.min(from, planned), Math.min(to, planned));
        Cost excessCost = between(placement, tariff, Math.max(from, planned), Math.max(to, planned));
        Cost takenCost = sizes.cost(placement.pod(), cost);
        Cost chargedCost = takenCost.min(cost);
        return new Charge(chargedCost, takenCost.minus(chargedCost).plus(sizes.cost(placement.pod(), excessCost)));
    }

    private static Cost between(Placement placement, PromiseTariff tariff, long from, long to) {
        return from >= to
                ? Cost.ZERO
                : tariff.cost(placement, to).minus(from == 0 ? Cost.ZERO : tariff.cost(placement, from));
    }

    /** Returns the rest of this charge after an earlier one of the same run. */
    Charge since(Charge charge) {
        return new Charge(
                chargedCost.minus(charge.chargedCost).orNothing(),
                overrunCost.minus(charge.overrunCost).orNothing(),
                Math.max(0, processorTime - charge.processorTime));
    }

    /** Returns the charge with this sum of the pods' seconds. */
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
