package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values under Slotwise's keys that one object or several pods of a gang state, and everything wrong with them.
 * Lives for one reading.
 */
public final class AnnotationReader {
    private record Value(String text, String where) {}

    /** The longest value that is read, characters. */
    static final int LONGEST = 512;
    /** The longest list of times that is read, characters. */
    static final int LONGEST_LIST = 1 << 16;
    /** The most problems that are kept; a user could cause any number. */
    private static final int MOST_PROBLEMS = 20;

    private static final Set<String> LISTS = Set.of(AnnotationKeys.PRICE_CALENDAR, AnnotationKeys.UNAVAILABLE);

    private final SortedMap<String, Value> values = new TreeMap<>();
    private final List<ManifestFlaw> flaws = new ArrayList<>();

    /**
     * Adds the values of an object. A contradiction to an earlier object is a problem that names both.
     *
     * @param where the object in words, such as {@code pod user/g-0}
     * @param knownLabels the labels of Slotwise that it may have
     * @param knownAnnotations the annotations of Slotwise that it may have
     */
    public void add(
            String where,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            Set<String> knownLabels,
            Set<String> knownAnnotations) {
        add(where, labels, "label", knownLabels, knownAnnotations);
        add(where, annotations, "annotation", knownAnnotations, knownLabels);
    }

    private void add(
            String where,
            @Nullable Map<String, String> stated,
            String form,
            Set<String> known,
            Set<String> knownElsewhere) {
        if (stated == null) {
            return;
        }
        for (Map.Entry<String, String> entry : stated.entrySet()) {
            String key = entry.getKey();
            if (!key.startsWith(AnnotationKeys.PREFIX)
                    || AnnotationKeys.WRITTEN_ON_PODS.contains(key)
                    || AnnotationKeys.WRITTEN_ON_NODES.contains(key)) {
                continue;
            }
            if (known.contains(key)) {
                add(where, key, entry.getValue() == null ? "" : entry.getValue().strip());
            } else if (knownElsewhere.contains(key)) {
                flaw(valued(SafeText.value(key), entry.getValue(), where)
                        .and(" must not be %s: expected %s"
                                .formatted(
                                        form.equals("label") ? "a label" : "an annotation",
                                        form.equals("label") ? "an annotation" : "a label")));
            } else {
                String place = AnnotationKeys.place(key);
                flaw(valued(SafeText.value(key), entry.getValue(), where)
                        .and(
                                place == null
                                        ? " is not known: expected one of " + sorted(known, knownElsewhere)
                                        : " is %s: expected it there".formatted(place)));
            }
        }
    }

    private void add(String where, String key, String text) {
        Value earlier = values.putIfAbsent(key, new Value(text, where));
        if (earlier != null && !earlier.text.equals(text)) {
            flaw(ManifestFlaw.field(key)
                    .and(" differs: " + SafeText.value(earlier.text))
                    .of(earlier.where)
                    .and(", " + SafeText.value(text))
                    .of(where)
                    .and(": expected one value for the gang"));
        }
    }

    /** Adds a value from a caller without labels and annotations. */
    public void add(GangKey<?> key, String text) {
        add(key, text, "");
    }

    /** Adds a value that {@code where} states under a name of its own. */
    public void add(GangKey<?> key, String text, String where) {
        values.put(key.key(), new Value(text.strip(), where));
    }

    private static String sorted(Set<String> known, Set<String> more) {
        return String.join(
                ", ", Stream.concat(known.stream(), more.stream()).sorted().toList());
    }

    @Nullable
    public String text(String key) {
        Value value = values.get(key);
        return value == null ? null : value.text;
    }

    /**
     * Reads a value. A value that cannot be read becomes a problem.
     *
     * @param parser throws an IllegalArgumentException whose message says what was expected
     * @return {@code absent} if there is no value or it cannot be read
     */
    public <T> T read(String key, T absent, Function<String, ? extends T> parser) {
        T value = readOrNull(key, parser);
        return value == null ? absent : value;
    }

    public <T> T read(GangKey<T> key, T absent) {
        return read(key.key(), absent, key::parse);
    }

    public <T> @Nullable T readOrNull(GangKey<T> key) {
        return readOrNull(key.key(), key::parse);
    }

    /** Reads a value, or null if it is absent or cannot be read. */
    public <T> @Nullable T readOrNull(String key, Function<String, ? extends T> parser) {
        Value value = values.get(key);
        if (value == null) {
            return null;
        }
        int longest = LISTS.contains(key) ? LONGEST_LIST : LONGEST;
        if (value.text.length() > longest) {
            flaw(valued(key, value.text, value.where)
                    .and(" is too long: expected at most %d characters".formatted(longest)));
            return null;
        }
        Steps.add(Steps.Kind.TEXT, value.text.length());
        try {
            return parser.apply(value.text);
        } catch (IllegalArgumentException e) {
            flaw(valued(key, value.text, value.where).and(" is not valid: " + e.getMessage()));
        }
        return null;
    }

    /**
     * Parses an integer from 1 to {@code most}.
     *
     * @throws IllegalArgumentException with a message that says what was expected
     */
    public static int number(String text, int most) {
        try {
            int number = Integer.parseInt(PlainDigits.of(text));
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expectedNumber(most), e);
        }
        throw new IllegalArgumentException(expectedNumber(most));
    }

    private static String expectedNumber(int most) {
        return "expected a whole number between 1 and " + most;
    }

    private static ManifestFlaw valued(String key, @Nullable String text, String where) {
        return ManifestFlaw.field(key)
                .and(" (%s)".formatted(SafeText.value(text)))
                .of(where);
    }

    /** Adds a problem, up to a limit. */
    public void flaw(ManifestFlaw flaw) {
        if (flaws.size() < MOST_PROBLEMS) {
            flaws.add(flaw);
        }
    }

    /** Adds a problem that concerns no field of Slotwise. */
    public void problem(String words) {
        flaw(ManifestFlaw.words(words));
    }

    /** Returns the problems in the order in which they were found. */
    public List<ManifestFlaw> flaws() {
        return flaws;
    }

    public List<String> problems() {
        return flaws.stream().map(ManifestFlaw::message).toList();
    }
}
