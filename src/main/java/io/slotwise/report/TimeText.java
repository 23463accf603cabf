package io.slotwise.report;

import java.time.Instant;

/** Times and durations in words, in whole seconds. */
public final class TimeText {
    private static final long[] SECONDS = {86_400, 3_600, 60, 1};
    private static final String UNITS = "dhms";

    private TimeText() {}

    /** Returns an instant in UTC, such as {@code 2030-01-01T00:00:00Z}. */
    public static String instant(long epochSecond) {
        return Instant.ofEpochSecond(epochSecond).toString();
    }

    /** Returns the instant {@code end}, without the date if {@code start} is on the same UTC day. */
    static String instantAfter(long start, long end) {
        String text = instant(end);
        boolean sameDay = Math.floorDiv(start, SECONDS[0]) == Math.floorDiv(end, SECONDS[0]);
        return sameDay ? text.substring(text.indexOf('T') + 1) : text;
    }

    /** Returns the time from {@code now} to a second, such as {@code +1h30m}. */
    static String relative(long now, long epochSecond) {
        long distance = epochSecond - now;
        return (distance < 0 ? "-" : "+") + duration(Math.abs(distance));
    }

    /** Returns a non-negative duration, such as {@code 1h30m} or {@code 45s}. */
    public static String duration(long seconds) {
        if (seconds == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        long rest = seconds;
        for (int i = 0; i < SECONDS.length; i++) {
            if (rest >= SECONDS[i]) {
                text.append(rest / SECONDS[i]).append(UNITS.charAt(i));
                rest %= SECONDS[i];
            }
        }
        return text.toString();
    }
}
