package io.slotwise.live.record;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** By what right a record's window has its room. */
public sealed interface WindowOwnership {
    /** The gang's own window, as the planner gave it, or none. */
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
     * @param deletedAt when a user asked for it to go, seconds since the epoch; empty: no user did
     */
    record Held(OptionalLong deletedAt) implements WindowOwnership {}

    /** A gang's own window. */
    static WindowOwnership own() {
        return new Own();
    }

    /** Whether this is an advance reservation. */
    default boolean isHeld() {
        return this instanceof Held;
    }

    /** The name of the reservation that a gang has a part of; null: it has none. */
    default @Nullable String reservation() {
        return this instanceof Part(String reservation) ? reservation : null;
    }
}
