package io.slotwise.core.migration;

import io.slotwise.core.time.Durations;

/**
 * The absence of a stopped gang's pods, in seconds since their eviction.
 *
 * @param gone until the last of them has certainly left its room, not negative
 * @param back until their controller has made all of them again, not less than {@code gone}
 */
public record EvictionTiming(long gone, long back) {
    /** Kubernetes' default grace period of a pod, seconds. */
    public static final long USUAL_GRACE = 30;

    /** The pause of a controller after the first failure, seconds. */
    public static final long FIRST_PAUSE = 10;

    /** The time until an eviction has reached a pod, seconds. */
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

    /** Returns the timing for pods of default grace, given the positive number of their Job's failures. */
    public static EvictionTiming usual(long failures) {
        long gone = gone(USUAL_GRACE);
        return new EvictionTiming(gone, gone + pause(failures));
    }

    /** Returns the most seconds from an eviction until a pod of this grace is gone. Any user may set any grace. */
    public static long gone(long grace) {
        return EVICTION + Math.clamp(grace, 0, Durations.LONGEST);
    }

    /**
     * Returns how long a Job makes no pod after this number of failures: 10 s, doubled each time, at most ten minutes.
     */
    public static long pause(long failures) {
        long pause = FIRST_PAUSE;
        for (long i = 1; i < failures && pause < LONGEST_PAUSE; i++) {
            pause *= 2;
        }
        return Math.min(pause, LONGEST_PAUSE);
    }
}
