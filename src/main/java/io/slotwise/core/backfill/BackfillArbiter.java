package io.slotwise.core.backfill;

import io.slotwise.core.window.Window;

/** Grants the windows that backfilling proposes. */
public interface BackfillArbiter {
    /** Returns whether a window still has room and money after others were granted. */
    boolean admits(BackfillRequest request, Window window);

    /** Takes the window's room and money. Returns false, without changes, if the batch's limit does not allow it. */
    boolean grant(BackfillRequest request, Window window);

    void revoke(BackfillRequest request, Window window);
}
