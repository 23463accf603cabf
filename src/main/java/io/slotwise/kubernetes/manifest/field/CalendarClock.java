package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a node's calendar: the time zone at the beginning of the text ({@code CRON_TZ=Europe/Berlin }), else
 * UTC.
 *
 * <p>Clock times are counted in seconds since 1970-01-01T00:00:00 on that clock. A second belongs to the calendar if
 * the clock shows one of its times. Times that a change to daylight saving time skips never occur, and times in the
 * hour that autumn repeats occur twice. A night from 22:00 to 06:00 lasts seven, eight or nine hours.
 */
public final class CalendarClock {
    private static final String PREFIX = "CRON_TZ=";
    private static final String EXPECTED =
            "expected CRON_TZ=ZONE and a space, with a zone of the IANA time zone database such as Europe/Berlin";
    private static final long DAY = 24 * 3600;

    /** Null for UTC, if no zone is named. */
    private final @Nullable ZoneRules rules;

    private final String calendar;

    private CalendarClock(@Nullable ZoneRules rules, String calendar) {
        this.rules = rules;
        this.calendar = calendar;
    }

    /** Clock times as intervals in ascending order. */
    public interface Times {
        List<Interval> inside(long from, long to, int most);
    }

    /**
     * Returns the clock that a text names.
     *
     * @throws IllegalArgumentException whose message says what was expected
     */
    public static CalendarClock of(String text) {
        String stripped = text.strip();
        if (!stripped.startsWith(PREFIX)) {
            return new CalendarClock(null, text);
        }
        int end = stripped.indexOf(' ');
        String zone = end < 0 ? "" : stripped.substring(PREFIX.length(), end);
        if (!ZoneId.getAvailableZoneIds().contains(zone)) {
            throw new IllegalArgumentException("%s, not (%s)"
                    .formatted(EXPECTED, SafeText.value(end < 0 ? stripped : stripped.substring(0, end))));
        }
        return new CalendarClock(ZoneId.of(zone).getRules(), stripped.substring(end + 1));
    }

    /** Returns the text after the zone. */
    public String calendar() {
        return calendar;
    }

    /** Returns whether a zone is named, so that instants may lack an offset. */
    boolean isNamed() {
        return rules != null;
    }

    /**
     * Returns the seconds of {@code [from, to)}, since the epoch, in which the clock shows one of these times, in
     * ascending order. O(changes of the clock) plus the cost of {@code times}.
     */
    public List<Interval> seconds(Times times, long from, long to, int most) {
        if (rules == null) {
            return times.inside(from, to, most);
        }
        List<Interval> found = new ArrayList<>();
        for (long begin = from; begin < to; ) {
            ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(begin));
            long end = change == null ? to : Math.min(to, change.toEpochSecond());
            long offset = offset(begin);
            for (Interval interval : times.inside(begin + offset, end + offset, most - found.size())) {
                join(found, Math.max(begin, interval.start() - offset), Math.min(end, interval.end() - offset));
            }
            begin = end;
        }
        return found;
    }

    /**
     * Returns the seconds, since the epoch, in which the clock shows a time of this interval. O(1): clock changes in
     * its middle leave nothing out.
     */
    List<Interval> seconds(Interval interval) {
        if (interval.length() <= 4 * DAY) {
            return seconds(
                    (_, _, _) -> List.of(interval), interval.start() - DAY, interval.end() + DAY, Integer.MAX_VALUE);
        }
        List<Interval> found = seconds(new Interval(interval.start(), interval.start() + DAY));
        List<Interval> last = seconds(new Interval(interval.end() - DAY, interval.end()));
        found.set(
                found.size() - 1,
                new Interval(found.getLast().start(), last.getFirst().end()));
        found.addAll(last.subList(1, last.size()));
        return found;
    }

    private long offset(long second) {
        return rules == null
                ? ZoneOffset.UTC.getTotalSeconds()
                : rules.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
    }

    /**
     * Adds an interval that starts no earlier than those before it, merged with the last one if they touch. An empty
     * interval is left out.
     */
    public static void join(List<Interval> found, long start, long end) {
        if (start >= end) {
            return;
        }
        if (!found.isEmpty() && start <= found.getLast().end()) {
            Interval last = found.getLast();
            found.set(found.size() - 1, new Interval(last.start(), Math.max(last.end(), end)));
        } else {
            found.add(new Interval(start, end));
        }
    }
}
