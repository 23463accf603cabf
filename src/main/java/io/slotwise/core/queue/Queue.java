package io.slotwise.core.queue;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it is stated. A resource that a map does not name has the default of {@link QueueTree}.
 *
 * @param parent the name of the queue above, or null for the root
 * @param weight its part of what no sibling is guaranteed, relative to the siblings' weights; 0 for none of it
 * @param guarantee by resource, what its gangs have before all others; a percentage is of the parent's guarantee
 * @param limit by resource, what its gangs use at most together; a percentage is of the parent's limit
 * @param lending by resource, how much of its guarantee others may use at most; a percentage is of its own guarantee.
 *     The end of lending is a second from which the amount is 0.
 * @param suspended whether its gangs and those below it get no new windows
 */
public record Queue(
        String name,
        @Nullable String parent,
        int weight,
        Map<String, Amount> guarantee,
        Map<String, Amount> limit,
        Map<String, Amount> lending,
        boolean suspended) {
    /** The name of the root. It need not be stated. */
    public static final String ROOT = "root";

    /** The name of the queue of gangs without another one. It need not be stated. */
    public static final String DEFAULT = "default";

    public Queue {
        guarantee = Map.copyOf(guarantee);
        limit = Map.copyOf(limit);
        lending = Map.copyOf(lending);
        if (weight < 0) {
            throw new IllegalArgumentException(
                    "The weight (%d) of queue (%s) must not be negative.".formatted(weight, name));
        }
    }

    /** A queue of weight 1 without any amounts. */
    public Queue(String name, @Nullable String parent) {
        this(name, parent, 1, Map.of(), Map.of(), Map.of(), false);
    }

    /** Returns the name of the queue above, or null for the root itself. */
    @Nullable
    String above() {
        if (name.equals(ROOT)) {
            return null;
        }
        return parent == null ? ROOT : parent;
    }
}
