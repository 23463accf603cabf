package io.slotwise.kubernetes.refusal;

import java.util.function.IntSupplier;

/** Port: counts what the API server refuses. */
public interface RefusalObserver {
    /**
     * Calls are watched from now on.
     *
     * @param kinds how many kinds of calls are refused at the moment
     */
    void refusing(IntSupplier kinds);

    /**
     * The API server has refused a call.
     *
     * @param what verb and resource, such as {@code create reservations.slotwise.io}
     */
    void refused(String what);
}
