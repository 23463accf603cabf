package io.slotwise.kubernetes.refusal;

import java.util.function.IntSupplier;

/** Port: counts refusals of the API server. */
public interface RefusalObserver {
    /**
     * Begins to observe calls.
     *
     * @param kinds returns the number of kinds of calls that are currently refused
     */
    void refusing(IntSupplier kinds);

    /**
     * Reports a refused call.
     *
     * @param what verb and resource, such as {@code create reservations.slotwise.io}
     */
    void refused(String what);
}
