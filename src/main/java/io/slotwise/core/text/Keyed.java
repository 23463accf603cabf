package io.slotwise.core.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A value of an enum that users and programs know by a word. */
public interface Keyed {
    /** The enum's own. */
    String name();

    /** The word: the name in small letters with hyphens. */
    default String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The value of a word; empty: there is none. O(values). */
    static <E extends Keyed> Optional<E> of(Class<E> values, String key) {
        return Arrays.stream(values.getEnumConstants())
                .filter(value -> value.key().equals(key))
                .findFirst();
    }
}
