package io.slotwise.kubernetes.manifest.device;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version in an expression about devices, ordered by Semantic Versioning 2.0.0 (semver.org), section 11.
 * Build metadata after a plus does not count.
 *
 * @param preRelease the identifiers of the pre-release; empty for a release
 */
record DeviceVersion(long major, long minor, long patch, List<String> preRelease) implements Comparable<DeviceVersion> {
    private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
    private static final Pattern PATTERN = Pattern.compile(
            NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-([0-9A-Za-z.-]{1,64}))?(?:\\+[0-9A-Za-z.-]{1,64})?");

    DeviceVersion {
        preRelease = List.copyOf(preRelease);
    }

    static DeviceVersion parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a semantic version such as 1.2.3");
        }
        String preRelease = matcher.group(4);
        return new DeviceVersion(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                preRelease == null ? List.of() : Arrays.asList(preRelease.split("\\.", -1)));
    }

    static boolean isOne(String text) {
        return PATTERN.matcher(text).matches();
    }

    @Override
    public int compareTo(DeviceVersion other) {
        int core = major != other.major
                ? Long.compare(major, other.major)
                : minor != other.minor ? Long.compare(minor, other.minor) : Long.compare(patch, other.patch);
        if (core != 0 || preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return core != 0 ? core : Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
            int order = compare(preRelease.get(i), other.preRelease.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(preRelease.size(), other.preRelease.size());
    }

    private static int compare(String one, String other) {
        boolean isNumber = isNumber(one);
        if (isNumber != isNumber(other)) {
            return isNumber ? -1 : 1;
        }
        int byLength = isNumber ? Integer.compare(one.length(), other.length()) : 0;
        return byLength != 0 ? byLength : one.compareTo(other);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(character -> character >= '0' && character <= '9');
    }
}
