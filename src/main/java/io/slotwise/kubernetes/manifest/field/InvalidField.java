package io.slotwise.kubernetes.manifest.field;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if a field of a question cannot be read. The message names the field, its value and what was expected. */
public final class InvalidField extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final @Nullable String field;

    /**
     * @param field null if the problem is about no single field
     */
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
