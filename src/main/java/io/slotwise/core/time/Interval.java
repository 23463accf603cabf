package io.slotwise.core.time;

/** Whole seconds since the epoch from {@code start} until before {@code end}. {@link #FOREVER}: no known end. */
public record Interval(long start, long end) {
    /** The end of an interval whose end is unknown: a quarter of the range, so that sums with durations are exact. */
    public static final long FOREVER = Long.MAX_VALUE / 4;

    public Interval {
        if (start >= end) {
            throw new IllegalArgumentException(
                    "The start (%d) of an interval must lie before its end (%d).".formatted(start, end));
        }
    }

    /** Returns whether the two intervals share a second. */
    public boolean overlaps(Interval other) {
        return start < other.end && other.start < end;
    }

    public long length() {
        return end - start;
    }
}
