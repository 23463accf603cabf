package io.slotwise.core.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

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

    /** Returns the seconds that are in any of the intervals: disjoint, ascending, and not adjacent. O(n log n). */
    public static List<Interval> union(List<Interval> intervals) {
        List<Interval> union = new ArrayList<>();
        for (Interval interval : intervals.stream()
                .sorted(Comparator.comparingLong(Interval::start))
                .toList()) {
            Interval last = union.isEmpty() ? null : union.getLast();
            if (last == null || last.end < interval.start) {
                union.add(interval);
            } else {
                union.set(union.size() - 1, new Interval(last.start, Math.max(last.end, interval.end)));
            }
        }
        return union;
    }

    /** Returns the intervals without the seconds of another one. */
    public static List<Interval> without(List<Interval> intervals, Interval other) {
        return intervals.stream()
                .flatMap(interval -> Stream.of(
                        new long[] {interval.start, Math.min(interval.end, other.start)},
                        new long[] {Math.max(interval.start, other.end), interval.end}))
                .filter(part -> part[0] < part[1])
                .map(part -> new Interval(part[0], part[1]))
                .toList();
    }
}
