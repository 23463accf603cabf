package io.slotwise.core.backfill;

import io.slotwise.core.window.Window;

/** Who takes the windows that backfilling proposes. */
public interface BackfillArbiter {
    /** Whether room and money are still there for a window that was proposed before others were granted. */
    boolean admits(BackfillRequest request, Window window);

    /** Takes the window's room and money; false: the batch's limit does not allow it, and nothing has changed. */
    boolean grant(BackfillRequest request, Window window);

    /** Takes back what was granted. */
    void revoke(BackfillRequest request, Window window);
}
