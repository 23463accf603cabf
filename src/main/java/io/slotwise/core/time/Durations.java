package io.slotwise.core.time;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses and formats whole seconds: {@code 90s}, {@code 1h30m}, {@code 7d} or {@code PT1H30M}. */
public final class Durations {
    /** The longest accepted duration, seconds: ten years of 365 days. */
    public static final long LONGEST = 10 * 365 * 24 * 3600L;

    private static final Pattern SHORT =
            Pattern.compile("(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?");
    private static final Pattern ISO =
            Pattern.compile("P(?:(\\d{1,4})D)?(?:T(?=\\d)(?:(\\d{1,9})H)?(?:(\\d{1,9})M)?(?:(\\d{1,9})S)?)?");
    private static final int SHORTEST_TEXT = 2;
    /** The input of {@link #parse}, for messages after {@code expected}. */
    public static final String WORDS = "a duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M";

    private Durations() {}

    /** Parses seconds, not negative and at most {@link #LONGEST}. Throws on other text, with what was expected. */
    public static long parse(String text) {
        String stripped = text.strip();
        Matcher parts = (stripped.startsWith("P") ? ISO : SHORT).matcher(stripped);
        if (stripped.length() < SHORTEST_TEXT || !parts.matches()) {
            throw new IllegalArgumentException("expected " + WORDS);
        }
        long seconds = 86_400 * number(parts.group(1))
                + 3600 * number(parts.group(2))
                + 60 * number(parts.group(3))
                + number(parts.group(4));
        if (seconds > LONGEST) {
            throw new IllegalArgumentException("expected at most 87600h");
        }
        return seconds;
    }

    /** Parses a positive duration, otherwise as {@link #parse}. */
    public static long parsePositive(String text) {
        long seconds = parse(text);
        if (seconds == 0) {
            throw new IllegalArgumentException("expected a duration of at least 1s");
        }
        return seconds;
    }

    /** Returns the short form without zero parts, such as {@code 1h30m}. */
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

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
