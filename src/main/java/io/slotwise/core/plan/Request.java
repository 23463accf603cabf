package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A gang that has not started.
 *
 * @param passed the number of gangs that arrived later, have no higher priority, and were promised a window so far
 * @param fresh whether the promise is recent; then only an immediate start replaces it with an earlier one, and it
 *     makes no room for others
 * @param behindId the gang that goes before this one in every order, since this one is a pod beyond its size, or null
 * @param successorSince the arrival of its pods, since the epoch, if they follow others that still leave the room, so
 *     that promises of later gangs make way. {@link Interval#FOREVER} if there are no such pods.
 */
@RecordBuilder
public record Request(
        Gang gang,
        @Nullable Promise promise,
        int passed,
        boolean fresh,
        @Nullable GangId behindId,
        long successorSince) implements RequestBuilder.With {
    /** A gang that goes behind no other and follows no pods, and whose promise, if any, is not fresh. */
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
