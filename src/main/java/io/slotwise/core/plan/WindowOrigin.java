package io.slotwise.core.plan;

import io.slotwise.core.text.Keyed;

/** Which part of the cycle gave a gang its window. */
public enum WindowOrigin implements Keyed {
    CYCLIC,
    BACKFILL,
    ONLINE,
    MIGRATION,
    PREEMPTION
}
