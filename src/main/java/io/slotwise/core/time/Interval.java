package io.slotwise.core.time;

/**
 * A half-open interval of whole seconds, {@code [start, end)}.
 *
 * @param start the first second inside, seconds since the epoch
 * @param end the first second outside, seconds since the epoch; {@link #FOREVER} when no end is known
 */
public record Interval(long start, long end) {
    /**
     * The end of an interval whose end is unknown: a quarter of the range, so that sums with durations stay exact.
     */
    public static final long FOREVER = Long.MAX_VALUE / 4;

    public Interval {
        if (start >= end) {
            throw new IllegalArgumentException(
                    "The start (%d) of an interval must lie before its end (%d).".formatted(start, end));
        }
    }

    /** Whether the two intervals share a second. */
    public boolean overlaps(Interval other) {
        return start < other.end && other.start < end;
    }

    /** Length in seconds. */
    public long length() {
        return end - start;
    }
}
