package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** The request of {@code bind}. */
public record ExtenderBindingArgs(
        @JsonProperty("PodName") @Nullable String podName,
        @JsonProperty("PodNamespace") @Nullable String podNamespace,
        @JsonProperty("PodUID") @Nullable String podUid,
        @JsonProperty("Node") @Nullable String node) {}
