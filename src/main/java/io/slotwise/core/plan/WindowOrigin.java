package io.slotwise.core.plan;

import io.slotwise.core.text.Keyed;

/** The part of the cycle that gave a gang its window. */
public enum WindowOrigin implements Keyed {
    CYCLIC,
    BACKFILL,
    ONLINE,
    MIGRATION,
    PREEMPTION
}
