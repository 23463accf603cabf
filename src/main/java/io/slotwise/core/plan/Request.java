package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A gang that has not started.
 *
 * @param passed how many gangs that arrived later and have no higher priority were promised a window so far, not
 *     negative
 * @param fresh whether the promise was given a moment ago: of earlier starts only one at once is worth another, and it
 *     makes no room for others
 * @param behindId the gang that goes before this one in every order, since this one is a pod beyond its size; null:
 *     there is none
 * @param successorSince when its pods came, since the epoch, if others that they follow still leave its room: the
 *     promises of gangs that came later make way for it; {@link Interval#FOREVER}: there are no such pods
 */
@RecordBuilder
public record Request(
        Gang gang,
        @Nullable Promise promise,
        int passed,
        boolean fresh,
        @Nullable GangId behindId,
        long successorSince) implements RequestBuilder.With {
    /** A gang that goes behind no other and follows no pods, and whose promise, if there is one, is not fresh. */
    public Request(Gang gang, @Nullable Promise promise, int passed) {
        this(gang, promise, passed, false, null, Interval.FOREVER);
    }

    /** A gang that no other gang has passed. */
    public Request(Gang gang, @Nullable Promise promise) {
        this(gang, promise, 0);
    }

    public Request with(@Nullable Promise other) {
        return withPromise(other);
    }
}
