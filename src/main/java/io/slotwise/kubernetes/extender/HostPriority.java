package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The score of a node from 0 to 10; more is better. */
public record HostPriority(
        @JsonProperty("Host") String host,
        @JsonProperty("Score") long score) {
    /** The highest score that an extender may give. */
    public static final long HIGHEST = 10;
}
