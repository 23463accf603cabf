package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How much a node is preferred: 0 to 10, more is better. */
public record HostPriority(
        @JsonProperty("Host") String host,
        @JsonProperty("Score") long score) {
    /** The most that an extender may give. */
    public static final long HIGHEST = 10;
}
