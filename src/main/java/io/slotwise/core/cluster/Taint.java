package io.slotwise.core.cluster;

/** A node's taint; an empty value: it has none. */
public record Taint(String key, String value, Effect effect) {
    /** What a taint does; only the first two keep pods away from planning. */
    public enum Effect {
        NO_SCHEDULE,
        NO_EXECUTE,
        PREFER_NO_SCHEDULE
    }
}
