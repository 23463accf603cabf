package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import org.jspecify.annotations.Nullable;

/**
 * A gang that has not started.
 *
 * @param gang what it asks for
 * @param promise what it was promised; null: nothing yet
 * @param passed how many gangs that arrived later and have no higher priority were promised a window so far, not
 *     negative
 * @param fresh whether the promise was given a moment ago: of earlier starts only one at once is worth another, and it
 *     makes no room for others
 */
public record Request(Gang gang, @Nullable Promise promise, int passed, boolean fresh) {
    /** A gang whose promise, if there is one, is not fresh. */
    public Request(Gang gang, @Nullable Promise promise, int passed) {
        this(gang, promise, passed, false);
    }

    /** A gang that no other gang has passed. */
    public Request(Gang gang, @Nullable Promise promise) {
        this(gang, promise, 0);
    }

    /** The same for another gang, or for this one on other terms. */
    public Request of(Gang other) {
        return new Request(other, promise, passed, fresh);
    }

    /** The same with another promise; null: with none. */
    public Request with(@Nullable Promise other) {
        return new Request(gang, other, passed, fresh);
    }

    /** The same passed so often. */
    public Request passedBy(int gangs) {
        return new Request(gang, promise, gangs, fresh);
    }
}
