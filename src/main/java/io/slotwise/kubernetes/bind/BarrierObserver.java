package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import java.time.Instant;

/** Counts the results of gangs at the barrier. */
public interface BarrierObserver {
    /** Reports that a gang's start is durable and its members are being bound. */
    void opened(GangId gang, Instant promisedStart, Instant openedAt);

    /** Reports that some members were bound and at least one was refused. */
    void partial(GangId gang);
}
