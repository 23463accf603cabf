package io.slotwise.lab.simulation.grid;

/** What becomes of a gang that a single task has stopped. */
public enum GangInterruption {
    /** It goes on where it was. */
    RESUME,
    /** It begins anew. */
    RESTART
}
