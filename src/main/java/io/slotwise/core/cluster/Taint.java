package io.slotwise.core.cluster;

/** A node's taint, with an empty value if it has none. */
public record Taint(String key, String value, Effect effect) {
    /** The effect of a taint. Only the first two keep pods away in planning. */
    public enum Effect {
        NO_SCHEDULE,
        NO_EXECUTE,
        PREFER_NO_SCHEDULE
    }
}
