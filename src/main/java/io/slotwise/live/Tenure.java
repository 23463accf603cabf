package io.slotwise.live;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** By what right a record's window has its room. */
public sealed interface Tenure {
    /** The gang's own window, as the planner gave it, or none. */
    record Own() implements Tenure {}

    /**
     * A part of an advance reservation that the gang named.
     *
     * @param reservation its name in the gang's namespace
     */
    record Part(String reservation) implements Tenure {}

    /**
     * An advance reservation: room without pods.
     *
     * @param deletedAt when somebody asked for it to go, seconds since the epoch; empty: nobody did
     */
    record Held(OptionalLong deletedAt) implements Tenure {}

    /** A gang's own window. */
    static Tenure own() {
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
