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
 * The clock that a node's calendar goes by: that of the time zone which the text begins with ({@code
 * CRON_TZ=Europe/Berlin }), else UTC.
 *
 * <p>What a clock shows is told in seconds since 1970-01-01T00:00:00 on that clock. A second of the calendar is one in
 * which the clock shows it: what lies in the hour that a change to daylight saving time leaves out is in no second,
 * what lies in the hour that comes twice in autumn is in both, and a night from 22:00 to 06:00 lasts seven, eight or
 * nine hours.
 */
public final class CalendarClock {
    private static final String PREFIX = "CRON_TZ=";
    private static final String EXPECTED =
            "expected CRON_TZ=ZONE and a space, with a zone of the IANA time zone database such as Europe/Berlin";
    private static final long DAY = 24 * 3600;

    /** Null: UTC, since no zone is named. */
    private final @Nullable ZoneRules rules;

    private final String calendar;

    private CalendarClock(@Nullable ZoneRules rules, String calendar) {
        this.rules = rules;
        this.calendar = calendar;
    }

    /** What a clock shows in a stretch of time, intervals in ascending order. */
    public interface Times {
        /** Those that touch {@code [from, to)}, at most {@code most}. */
        List<Interval> inside(long from, long to, int most);
    }

    /**
     * The clock that a text names.
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

    /** The text behind the zone. */
    public String calendar() {
        return calendar;
    }

    /** Whether a zone is named, so that instants may be written without their offset. */
    boolean isNamed() {
        return rules != null;
    }

    /**
     * The seconds of {@code [from, to)}, since the epoch, in which the clock shows one of these times; in ascending
     * order. O(changes of the clock) more than the times take.
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
     * The seconds, since the epoch, in which the clock shows one of this interval; O(1): changes in its middle leave
     * nothing out.
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
     * Takes one more interval that starts no earlier than those before it; what touches the last one is one with it, an
     * empty one is left out.
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
