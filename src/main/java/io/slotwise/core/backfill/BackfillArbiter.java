package io.slotwise.core.backfill;

import io.slotwise.core.window.Window;

/** Who takes the windows that backfilling proposes. */
public interface BackfillArbiter {
    /**
     * Whether there still are the room and the namespace's money for a window that was proposed before others were
     * granted.
     */
    boolean admits(BackfillRequest bid, Window window);

    /**
     * Gives the window to the gang: takes its room and its money.
     *
     * @return false if the batch's limit does not allow it; then nothing has changed
     */
    boolean grant(BackfillRequest bid, Window window);

    /** Takes back what was granted. */
    void revoke(BackfillRequest bid, Window window);
}
