package io.slotwise.live.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a gang stands. */
public enum Phase {
    /** It has no window; the condition {@code Planned} says why. */
    @JsonProperty("Pending")
    PENDING("Pending"),
    /** It has a window that has not come yet. */
    @JsonProperty("Promised")
    PROMISED("Promised"),
    /** Its pods are released and on their way to their nodes; none of them is bound. */
    @JsonProperty("Starting")
    STARTING("Starting"),
    /** All members had arrived: they are bound or being bound. */
    @JsonProperty("Running")
    RUNNING("Running"),
    /** All members have ended or are gone. */
    @JsonProperty("Completed")
    COMPLETED("Completed"),
    /** Its promise could not be kept: what is left of the window counts for nothing, and the gang is planned again. */
    @JsonProperty("Broken")
    BROKEN("Broken");

    private final String key;

    Phase(String key) {
        this.key = key;
    }

    /** The name on the wire. */
    public String key() {
        return key;
    }

    /** Whether the barrier has opened: from here on the window is never rewritten. */
    public boolean started() {
        return this == RUNNING || this == COMPLETED;
    }
}
