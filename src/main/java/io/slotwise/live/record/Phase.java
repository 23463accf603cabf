package io.slotwise.live.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The phase of a gang. */
public enum Phase {
    /** Without a window; the condition {@code Planned} says why. */
    @JsonProperty("Pending")
    PENDING("Pending"),
    /** With a window that has not begun. */
    @JsonProperty("Promised")
    PROMISED("Promised"),
    /** Released: its pods are on their way to their nodes, and none is bound. */
    @JsonProperty("Starting")
    STARTING("Starting"),
    /** Started: all members had arrived, and are bound or being bound. */
    @JsonProperty("Running")
    RUNNING("Running"),
    /** All members have ended or are gone. */
    @JsonProperty("Completed")
    COMPLETED("Completed"),
    /** The promise could not be kept: the rest of the window is void, and the gang is planned again. */
    @JsonProperty("Broken")
    BROKEN("Broken");

    private final String key;

    Phase(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }

    /** Returns whether the barrier has opened. From here on the window is never rewritten. */
    public boolean started() {
        return this == RUNNING || this == COMPLETED;
    }
}
