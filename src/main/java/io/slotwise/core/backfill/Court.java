package io.slotwise.core.backfill;

import io.slotwise.core.window.Window;

/** Who takes the windows that backfilling proposes. */
public interface Court {
    /**
     * Gives the window to the gang: takes its room and its money.
     *
     * @return false if the batch's limit does not allow it; then nothing has changed
     */
    boolean grant(Bid bid, Window window);

    /** Takes back what was granted. */
    void revoke(Bid bid, Window window);
}
