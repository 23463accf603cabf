package io.slotwise.core.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** An enum value with a word for users and programs. */
public interface Keyed {
    String name();

    /** Returns the word: the name in lower case with hyphens. */
    default String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the value of a word, if any. O(values). */
    static <E extends Keyed> Optional<E> of(Class<E> values, String key) {
        return Arrays.stream(values.getEnumConstants())
                .filter(value -> value.key().equals(key))
                .findFirst();
    }
}
