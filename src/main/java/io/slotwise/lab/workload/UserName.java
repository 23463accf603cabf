package io.slotwise.lab.workload;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class UserName {
    /** The user of a job that names none. */
    public static final String UNKNOWN = "user-unknown";

    private static final String PREFIX = "user-";
    private static final Pattern NUMBERED = Pattern.compile(PREFIX + "(\\d{1,15})");

    private UserName() {}

    /** Returns a name such as {@code user-12}, or {@code UNKNOWN} for a negative number. */
    public static String of(long number) {
        return number < 0 ? UNKNOWN : PREFIX + number;
    }

    /** Returns the number of such a name. Empty for other names. */
    public static OptionalLong number(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }
}
