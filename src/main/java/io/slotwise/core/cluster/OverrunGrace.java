package io.slotwise.core.cluster;

import io.slotwise.core.time.Durations;

/**
 * The assumed remaining time of a pod that runs past its expected end: one grace at a time. A pod that was expected to
 * run for less than the grace first gets its expected runtime again, and twice as long each time after that.
 *
 * <p>Source of the growing corrections: Tsafrir, Etsion and Feitelson (2007), section 5.2.
 *
 * @param most the longest time, seconds, positive
 */
public record OverrunGrace(long most) {
    public OverrunGrace {
        if (most < 1) {
            throw new IllegalArgumentException("The grace (%d s) must be positive.".formatted(most));
        }
    }

    /**
     * Returns the grace for a pod whose runtime no user stated: its expected runtime again, then twice as long each
     * time. An exceeded guess says little, and each further guess that is exceeded breaks promises. Decision 15 has the
     * effects of shorter times.
     */
    public static OverrunGrace unstated() {
        return new OverrunGrace(Durations.LONGEST);
    }

    /**
     * Returns the next expected end, which is later than {@code expected + late}. O(log most).
     *
     * @param start the start of the pod, seconds since the epoch
     * @param expected end, seconds since the epoch
     * @param late seconds past that end, not negative
     */
    public long until(long start, long expected, long late) {
        long step = Math.clamp(expected - start, 1, most);
        long more = step;
        while (more <= late && step < most) {
            step = Math.min(2 * step, most);
            more += step;
        }
        return expected + more + (Math.floorDiv(late - more, most) + 1) * most;
    }
}
