package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * The answer of {@code preempt}: the candidates that remain, always by UID.
 *
 * @param nodeNameToMetaVictims by node
 */
public record ExtenderPreemptionResult(
        @JsonProperty("NodeNameToMetaVictims") Map<String, MetaVictims> nodeNameToMetaVictims) {}
