package io.slotwise.core.cluster;

/**
 * A node's taint.
 *
 * @param key the taint's key
 * @param value the taint's value, empty if it has none
 * @param effect what it does to pods that do not tolerate it
 */
public record Taint(String key, String value, Effect effect) {
    /** What a taint does; only the first two keep pods away from planning. */
    public enum Effect {
        NO_SCHEDULE,
        NO_EXECUTE,
        PREFER_NO_SCHEDULE
    }
}
