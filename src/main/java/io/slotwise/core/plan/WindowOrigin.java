package io.slotwise.core.plan;

/** Which part of the cycle gave a gang its window. */
public enum WindowOrigin {
    CYCLIC("cyclic"),
    BACKFILL("backfill"),
    ONLINE("online"),
    MIGRATION("migration"),
    PREEMPTION("preemption");

    private final String key;

    WindowOrigin(String key) {
        this.key = key;
    }

    /** The name in outputs. */
    public String key() {
        return key;
    }
}
