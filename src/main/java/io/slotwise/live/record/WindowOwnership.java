package io.slotwise.live.record;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The right by which a record's window has its room. */
public sealed interface WindowOwnership {
    /** The planner's own window for the gang, or none. */
    record Own() implements WindowOwnership {}

    /**
     * A part of an advance reservation that the gang named.
     *
     * @param reservation its name in the gang's namespace
     */
    record Part(String reservation) implements WindowOwnership {}

    /**
     * An advance reservation: room without pods.
     *
     * @param deletedAt when a user deleted it, seconds since the epoch; empty if no user did
     */
    record Held(OptionalLong deletedAt) implements WindowOwnership {}

    static WindowOwnership own() {
        return new Own();
    }

    default boolean isHeld() {
        return this instanceof Held;
    }

    /** Returns the name of the reservation of which the gang has a part. Null if there is none. */
    default @Nullable String reservation() {
        return this instanceof Part(String reservation) ? reservation : null;
    }
}
