package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Parses instants and intervals in RFC 3339 and ISO 8601. */
public final class Intervals {
    static final int MOST = 1000;

    private static final String EXPECTED_INSTANT = "expected an RFC 3339 instant such as 2030-01-01T08:00:00Z";
    private static final String EXPECTED_INTERVAL =
            "expected an ISO 8601 interval such as 2030-01-01T08:00:00Z/2030-01-01T18:00:00Z or "
                    + "2030-01-01T08:00:00Z/PT10H";

    private static final Pattern OFFSET = Pattern.compile("[Tt][0-9:.]+([Zz]|[+-])");

    private Intervals() {}

    public static long parseUp(String text) {
        return up(instant(text));
    }

    public static long parseDown(String text) {
        return instant(text).getEpochSecond();
    }

    /** Parses {@code START/END} or {@code START/DURATION} as every second that the interval touches. */
    public static Interval parse(String text) {
        return parse(text, Intervals::instant);
    }

    /**
     * Parses an interval by a clock. If a zone is named, instants may be clock times without an offset; the result is
     * the seconds in which the clock shows the interval.
     */
    public static List<Interval> parse(String text, CalendarClock clock) {
        return clock.isNamed() && !OFFSET.matcher(text).find()
                ? clock.seconds(parse(text, Intervals::shown))
                : List.of(parse(text));
    }

    private static Interval parse(String text, Function<String, Instant> reader) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(EXPECTED_INTERVAL);
        }
        String end = text.substring(slash + 1).strip();
        try {
            Instant first = reader.apply(text.substring(0, slash));
            long start = first.getEpochSecond();
            long stop = end.startsWith("P") ? up(first) + Durations.parsePositive(end) : up(reader.apply(end));
            if (start >= stop) {
                throw new IllegalArgumentException("expected an interval whose start lies before its end");
            }
            return new Interval(start, stop);
        } catch (UnreadableInstant e) {
            throw new IllegalArgumentException(EXPECTED_INTERVAL, e);
        }
    }

    /** Parses intervals separated by commas, in ascending order, with touching ones merged. */
    public static List<Interval> parseList(String text) {
        CalendarClock clock = CalendarClock.of(text);
        String[] items = clock.calendar().split(",", -1);
        if (items.length > MOST) {
            throw new IllegalArgumentException("expected at most %d intervals".formatted(MOST));
        }
        List<Interval> sorted = new ArrayList<>();
        for (String item : items) {
            sorted.addAll(parse(item.strip(), clock));
        }
        sorted.sort(Comparator.comparingLong(Interval::start).thenComparingLong(Interval::end));
        List<Interval> joined = new ArrayList<>();
        sorted.forEach(next -> CalendarClock.join(joined, next.start(), next.end()));
        return joined;
    }

    private static long up(Instant instant) {
        return instant.getNano() == 0 ? instant.getEpochSecond() : instant.getEpochSecond() + 1;
    }

    private static Instant instant(String text) {
        try {
            String stripped = inRange(text);
            // Kubernetes timestamps end in Z, which Instant.parse reads faster.
            return stripped.endsWith("Z")
                    ? Instant.parse(stripped)
                    : OffsetDateTime.parse(stripped).toInstant();
        } catch (DateTimeException e) {
            throw new UnreadableInstant(e);
        }
    }

    /** Parses a clock time, in seconds since 1970-01-01T00:00:00 on that clock. */
    private static Instant shown(String text) {
        try {
            return LocalDateTime.parse(inRange(text)).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new UnreadableInstant(e);
        }
    }

    private static String inRange(String text) {
        String stripped = text.strip();
        if (stripped.startsWith("+") || stripped.startsWith("-")) {
            throw new DateTimeException("RFC 3339 has no years before 0 and after 9999.");
        }
        return stripped;
    }

    private static final class UnreadableInstant extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        UnreadableInstant(Throwable cause) {
            super(EXPECTED_INSTANT, cause);
        }
    }
}
