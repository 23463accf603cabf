package io.slotwise.it.load;

/** When the pods of a load are created. */
enum Creation {
    /** Before the contender works: before it is started, or while it stands still where it has warmed up. */
    FIRST,
    /** While it runs and waits for them. */
    LIVE
}
