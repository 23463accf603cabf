package io.slotwise.core.cluster;

import io.slotwise.core.time.Durations;

/**
 * For how long a pod is taken to go on that runs past its expected end: for the grace at a time. One that was expected
 * to run for less gets as long again at first, and twice as long each time after that.
 *
 * <p>Source of longer and longer corrections: Tsafrir, Etsion and Feitelson (2007), section 5.2.
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
     * For a pod whose runtime no user stated: as long again as it was expected to run, then twice as long each time. A
     * guess that was passed says little, and each further one that is passed breaks promises; decision 15 has what
     * shorter times do.
     */
    public static OverrunGrace unstated() {
        return new OverrunGrace(Durations.LONGEST);
    }

    /**
     * Its next expected end, which is later than {@code expected + late}. O(log most).
     *
     * @param start when it began, seconds since the epoch
     * @param expected when it was to end, since the epoch
     * @param late for how many seconds it is past that, not negative
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
