package io.slotwise.kubernetes.manifest.field;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A field of a question that cannot be read; the message names it with its value and what was expected. */
public final class InvalidField extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final @Nullable String field;

    /** A field that cannot be read; null: what is wrong is about no single one. */
    public InvalidField(@Nullable String field, String message) {
        super(message);
        this.field = field;
    }

    public InvalidField(@Nullable String field, IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
        this.field = field;
    }

    public @Nullable String field() {
        return field;
    }
}
