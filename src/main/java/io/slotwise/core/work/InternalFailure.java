package io.slotwise.core.work;

import java.util.regex.Pattern;

/**
 * An internal error of Slotwise. Users only see its id, since its words may quote objects of other tenants. The log has
 * both. Two failures with the same id are equal.
 *
 * @param id eight hexadecimal digits, the same for the same words
 * @param words from {@link Isolated#words}, or empty if only the id is known
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

    /** Returns the failure with a stored id. A record may also hold words instead of an id. */
    public static InternalFailure named(String stored) {
        return ID.matcher(stored).matches()
                ? new InternalFailure(stored, "")
                : new InternalFailure(idOf(stored), stored);
    }

    private static String idOf(String words) {
        return "%08x".formatted(words.hashCode());
    }

    /** Returns the form that any user may read. */
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
