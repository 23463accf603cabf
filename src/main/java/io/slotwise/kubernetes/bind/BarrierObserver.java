package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import java.time.Instant;

/** Is told what became of a gang at the barrier, to count it. */
public interface BarrierObserver {
    /** The gang's start is durable, and its members are being bound. */
    void opened(GangId gang, Instant promisedStart, Instant openedAt);

    /** Some members were bound and at least one was refused. */
    void partial(GangId gang);
}
