package io.slotwise.core.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as people write them: {@code 90s}, {@code 1h30m} or ISO 8601's {@code PT1H30M}; whole seconds. */
public final class Durations {
    /** The longest duration that is read, seconds: ten years of 365 days. */
    public static final long LONGEST = 10 * 365 * 24 * 3600L;

    private static final Pattern SHORT = Pattern.compile("(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?");
    private static final String EXPECTED = "expected a duration in whole seconds such as 90s, 1h30m or PT1H30M";

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @return seconds, not negative
     * @throws IllegalArgumentException if the text is no duration, is no whole number of seconds, is negative or longer than
     *     {@link #LONGEST}; the message says what was expected
     */
    public static long parse(String text) {
        String stripped = text.strip();
        long seconds = stripped.startsWith("P") ? iso(stripped) : brief(stripped);
        if (seconds < 0) {
            throw new IllegalArgumentException("expected a duration that is not negative");
        }
        if (seconds > LONGEST) {
            throw new IllegalArgumentException("expected at most 87600h");
        }
        return seconds;
    }

    /** Reads a duration that is longer than nothing; otherwise as {@link #parse}. */
    public static long parsePositive(String text) {
        long seconds = parse(text);
        if (seconds == 0) {
            throw new IllegalArgumentException("expected a duration of at least 1s");
        }
        return seconds;
    }

    /** The short form without zero parts, such as {@code 1h30m}. */
    public static String brief(long seconds) {
        StringBuilder text = new StringBuilder();
        append(text, seconds / 3600, 'h');
        append(text, seconds % 3600 / 60, 'm');
        append(text, seconds % 60, 's');
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long amount, char unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }

    private static long iso(String text) {
        try {
            Duration duration = Duration.parse(text);
            if (!duration.equals(duration.truncatedTo(ChronoUnit.SECONDS))) {
                throw new IllegalArgumentException(EXPECTED);
            }
            return duration.toSeconds();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    private static long brief(String text) {
        Matcher matcher = SHORT.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return 3600 * number(matcher.group(1)) + 60 * number(matcher.group(2)) + number(matcher.group(3));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
