package io.slotwise.kubernetes.manifest;

import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads instants and intervals as RFC 3339 and ISO 8601 write them. */
final class Intervals {
    /** The most intervals of a list. */
    static final int MOST = 1000;

    private static final String EXPECTED_INSTANT = "expected an RFC 3339 instant such as 2030-01-01T08:00:00Z";
    private static final String EXPECTED_INTERVAL =
            "expected an ISO 8601 interval such as 2030-01-01T08:00:00Z/2030-01-01T18:00:00Z or 2030-01-01T08:00:00Z/PT10H";

    private Intervals() {}

    /** An instant, rounded up to the second. */
    static long parseUp(String text) {
        return up(instant(text));
    }

    /** An instant, rounded down to the second. */
    static long parseDown(String text) {
        return instant(text).getEpochSecond();
    }

    /** {@code START/END} or {@code START/DURATION}: every second that it touches. */
    static Interval parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(EXPECTED_INTERVAL);
        }
        String end = text.substring(slash + 1).strip();
        try {
            Instant first = instant(text.substring(0, slash));
            long start = first.getEpochSecond();
            long stop = end.startsWith("P") ? up(first) + Durations.parsePositive(end) : parseUp(end);
            if (start >= stop) {
                throw new IllegalArgumentException("expected an interval whose start lies before its end");
            }
            return new Interval(start, stop);
        } catch (UnreadableInstant e) {
            throw new IllegalArgumentException(EXPECTED_INTERVAL, e);
        }
    }

    /** Intervals with commas between them, in ascending order, those that touch made one. */
    static List<Interval> parseList(String text) {
        List<Interval> sorted = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            if (sorted.size() == MOST) {
                throw new IllegalArgumentException("expected at most %d intervals".formatted(MOST));
            }
            sorted.add(parse(item.strip()));
        }
        sorted.sort(Comparator.comparingLong(Interval::start).thenComparingLong(Interval::end));
        List<Interval> joined = new ArrayList<>();
        for (Interval next : sorted) {
            Interval last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && next.start() <= last.end()) {
                joined.set(joined.size() - 1, new Interval(last.start(), Math.max(last.end(), next.end())));
            } else {
                joined.add(next);
            }
        }
        return joined;
    }

    private static long up(Instant instant) {
        return instant.getNano() == 0 ? instant.getEpochSecond() : instant.getEpochSecond() + 1;
    }

    private static Instant instant(String text) {
        String stripped = text.strip();
        try {
            if (stripped.startsWith("+") || stripped.startsWith("-")) {
                throw new DateTimeException("RFC 3339 has no years before 0 and after 9999.");
            }
            // Kubernetes' own timestamps end in Z; this way of reading them is the faster one.
            return stripped.endsWith("Z")
                    ? Instant.parse(stripped)
                    : OffsetDateTime.parse(stripped).toInstant();
        } catch (DateTimeException e) {
            throw new UnreadableInstant(e);
        }
    }

    private static final class UnreadableInstant extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        UnreadableInstant(Throwable cause) {
            super(EXPECTED_INSTANT, cause);
        }
    }
}
