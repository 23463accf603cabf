package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of {@code filter} and {@code prioritize}: a pod and its candidate nodes in one of two forms.
 *
 * @param nodes a whole NodeList, if the extender is not {@code nodeCacheCapable}
 * @param nodeNames the nodes' names, if it is
 */
public record ExtenderArgs(
        @JsonProperty("Pod") @Nullable PodRef pod,
        @JsonProperty("Nodes") @Nullable JsonNode nodes,
        @JsonProperty("NodeNames") @Nullable List<String> nodeNames) {
    public ExtenderArgs {
        nodes = nodes == null || nodes.isNull() ? null : nodes;
        nodeNames = nodeNames == null ? null : List.copyOf(nodeNames);
    }

    public boolean byName() {
        return nodeNames != null;
    }

    /** Returns the candidates' names in the order of the request. O(nodes). */
    public List<String> candidates() {
        if (nodeNames != null) {
            return nodeNames;
        }
        List<String> names = new ArrayList<>();
        if (nodes != null) {
            for (JsonNode node : nodes.path("items")) {
                names.add(nameOf(node));
            }
        }
        return names;
    }

    static String nameOf(JsonNode node) {
        return node.path("metadata").path("name").asText();
    }
}
