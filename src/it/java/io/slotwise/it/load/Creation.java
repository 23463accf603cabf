package io.slotwise.it.load;

/** The time at which the pods of a load are created. */
enum Creation {
    /** Before the scheduler works: before its start, or while it is suspended after the warm-up. */
    FIRST,
    /** While the scheduler runs and waits for them. */
    LIVE
}
