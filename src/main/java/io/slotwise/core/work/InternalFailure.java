package io.slotwise.core.work;

import java.util.regex.Pattern;

/**
 * An error of Slotwise's own. People are shown its id alone, since its words may have parts of other tenants' objects;
 * the log has both. Two of the same id are one.
 *
 * @param id eight hexadecimal digits, the same for the same words
 * @param words what {@link Isolated#words} says of it; empty where only the id is known
 */
public record InternalFailure(String id, String words) {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");

    public InternalFailure {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("The id (%s) must be eight hexadecimal digits.".formatted(id));
        }
    }

    public static InternalFailure of(Throwable error) {
        String words = Isolated.words(error);
        return new InternalFailure(idOf(words), words);
    }

    /** One that a record names by its id, or, where an earlier version wrote it, in words. */
    public static InternalFailure named(String stored) {
        return ID.matcher(stored).matches()
                ? new InternalFailure(stored, "")
                : new InternalFailure(idOf(stored), stored);
    }

    private static String idOf(String words) {
        return "%08x".formatted(words.hashCode());
    }

    /** What anybody may read. */
    @Override
    public String toString() {
        return "internal error " + id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InternalFailure failure && failure.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
