package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code filter}.
 *
 * @param nodes the passing nodes, if the request had whole nodes
 * @param failedNodes always empty, because kube-scheduler would look for victims on them
 * @param failedAndUnresolvableNodes if no node passes, every node with the reason
 * @param error why there is no answer; empty if there is one
 */
public record ExtenderFilterResult(
        @JsonProperty("Nodes") @Nullable JsonNode nodes,
        @JsonProperty("NodeNames") @Nullable List<String> nodeNames,
        @JsonProperty("FailedNodes") Map<String, String> failedNodes,
        @JsonProperty("FailedAndUnresolvableNodes") Map<String, String> failedAndUnresolvableNodes,
        @JsonProperty("Error") String error) {

    public static ExtenderFilterResult failed(String error) {
        return new ExtenderFilterResult(null, null, Map.of(), Map.of(), error);
    }
}
