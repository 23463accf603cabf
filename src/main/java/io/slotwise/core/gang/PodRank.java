package io.slotwise.core.gang;

import java.util.Comparator;

/**
 * The order of the pods of a gang by rank. The rank is the numbers in a pod's name: a Job puts its completion index
 * there, and other controllers the indexes of the group and the worker. So {@code train-2} comes before {@code
 * train-10}.
 *
 * <p>Names are compared part by part. Two runs of digits are compared as numbers, other parts by character, and equal
 * ones by name.
 */
public final class PodRank {
    /** Compares the names of pods of one gang. */
    public static final Comparator<String> ORDER =
            ((Comparator<String>) PodRank::compare).thenComparing(Comparator.naturalOrder());

    private PodRank() {}

    private static int compare(String name, String other) {
        int i = 0;
        int j = 0;
        while (i < name.length() && j < other.length()) {
            int end = end(name, i);
            int otherEnd = end(other, j);
            int order = end > i && otherEnd > j
                    ? number(name.substring(i, end), other.substring(j, otherEnd))
                    : Character.compare(name.charAt(i), other.charAt(j));
            if (order != 0) {
                return order;
            }
            i = Math.max(end, i + 1);
            j = Math.max(otherEnd, j + 1);
        }
        return Integer.compare(name.length() - i, other.length() - j);
    }

    /** Returns the end of the digits from an index on. */
    private static int end(String name, int start) {
        int end = start;
        while (end < name.length() && name.charAt(end) >= '0' && name.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    /** Compares digits of any length as numbers. */
    private static int number(String digits, String others) {
        String number = digits.replaceFirst("^0+", "");
        String other = others.replaceFirst("^0+", "");
        return number.length() == other.length()
                ? number.compareTo(other)
                : Integer.compare(number.length(), other.length());
    }
}
