package io.slotwise.core.migration;

import io.slotwise.core.time.Durations;

/**
 * How long the pods of a gang are away when it is stopped: seconds from the moment of their eviction.
 *
 * @param gone until the last of them has left its room for certain, not negative
 * @param back until all of them are there again, made by the controller that made them, not less than {@code gone}
 */
public record EvictionTiming(long gone, long back) {
    /** The grace that Kubernetes gives a pod that says nothing, seconds. */
    public static final long USUAL_GRACE = 30;

    /** The pause of a controller after the first failure, seconds. */
    public static final long FIRST_PAUSE = 10;

    /** Until an eviction has reached a pod, seconds. */
    private static final long EVICTION = 5;

    private static final long LONGEST_PAUSE = 600;

    public EvictionTiming {
        if (gone < 0 || back < gone) {
            throw new IllegalArgumentException(
                    ("The time (%d s) until pods are gone must not be negative, and that (%d s) until they "
                                    + "are there again must not be less.")
                            .formatted(gone, back));
        }
    }

    /** Pods of a usual grace, made again by a Job that counts this stop as one of so many failures, positive. */
    public static EvictionTiming usual(long failures) {
        long gone = gone(USUAL_GRACE);
        return new EvictionTiming(gone, gone + pause(failures));
    }

    /** The most seconds from its eviction until a pod of this grace, which is anybody's to write, is gone. */
    public static long gone(long grace) {
        return EVICTION + Math.clamp(grace, 0, Durations.LONGEST);
    }

    /** How long a Job makes no pod after so many failures: 10 s, twice as long with each, ten minutes at most. */
    public static long pause(long failures) {
        long pause = FIRST_PAUSE;
        for (long i = 1; i < failures && pause < LONGEST_PAUSE; i++) {
            pause *= 2;
        }
        return Math.min(pause, LONGEST_PAUSE);
    }
}
