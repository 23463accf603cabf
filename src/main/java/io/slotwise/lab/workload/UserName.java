package io.slotwise.lab.workload;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class UserName {
    /** Of a job that does not say whose it is. */
    public static final String UNKNOWN = "user-unknown";

    private static final String PREFIX = "user-";
    private static final Pattern NUMBERED = Pattern.compile(PREFIX + "(\\d{1,15})");

    private UserName() {}

    /** The name of a number, such as {@code user-12}; a negative number is unknown. */
    public static String of(long number) {
        return number < 0 ? UNKNOWN : PREFIX + number;
    }

    /** The number of such a name; empty for other names. */
    public static OptionalLong number(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }
}
