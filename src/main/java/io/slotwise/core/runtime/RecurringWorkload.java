package io.slotwise.core.runtime;

/** A workload that runs repeatedly, by a key that is unique in its namespace, with a name for users. */
public record RecurringWorkload(String key, String name) {
    /** The longest key, characters. */
    public static final int LONGEST_KEY = 64;
    /** The longest name, characters. */
    public static final int LONGEST_NAME = 128;

    public RecurringWorkload {
        if (key.isEmpty() || key.length() > LONGEST_KEY || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "The workload (%s, %s) must have a key of 1 to %d characters and a name of at most %d."
                            .formatted(key, name, LONGEST_KEY, LONGEST_NAME));
        }
    }
}
