package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.slotwise.kubernetes.extender.ExtenderPreemptionArgs.MetaPod;
import io.slotwise.kubernetes.extender.ExtenderPreemptionArgs.Victims;
import java.util.Map;

/** The answer of {@code preempt}: the remaining candidates by node, always by UID. */
public record ExtenderPreemptionResult(
        @JsonProperty("NodeNameToMetaVictims") Map<String, Victims<MetaPod>> nodeNameToMetaVictims) {}
