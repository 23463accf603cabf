package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests of kube-scheduler and the answers to them.
 *
 * <p>Source: Kubernetes 1.37, staging/src/k8s.io/kube-scheduler/extender/v1/types.go.
 */
public final class ExtenderMessages {
    private ExtenderMessages() {}

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

    /** The score of a node from 0 to 10; more is better. */
    public record HostPriority(
            @JsonProperty("Host") String host,
            @JsonProperty("Score") long score) {
        /** The highest score that an extender may give. */
        public static final long HIGHEST = 10;
    }

    /**
     * The request of {@code preempt}: the victims of a pod on each candidate node, in one of two forms.
     *
     * @param nodeNameToVictims whole pods, if the extender is not {@code nodeCacheCapable}
     * @param nodeNameToMetaVictims their UIDs, if it is
     */
    public record ExtenderPreemptionArgs(
            @JsonProperty("Pod") @Nullable PodRef pod,
            @JsonProperty("NodeNameToVictims") @Nullable Map<String, Victims<PodRef>> nodeNameToVictims,
            @JsonProperty("NodeNameToMetaVictims") @Nullable Map<String, Victims<MetaPod>> nodeNameToMetaVictims) {
        public ExtenderPreemptionArgs {
            nodeNameToVictims = sorted(nodeNameToVictims, new Victims<>(null, 0));
            nodeNameToMetaVictims = sorted(nodeNameToMetaVictims, new Victims<>(null, 0));
        }

        private static <V> @Nullable Map<String, V> sorted(@Nullable Map<String, V> byNode, V none) {
            if (byNode == null) {
                return null;
            }
            Map<String, V> sorted = new TreeMap<>();
            byNode.forEach((node, victims) -> sorted.put(node, Objects.requireNonNullElse(victims, none)));
            return Collections.unmodifiableMap(sorted);
        }
    }

    /** The victims on one node, and the number of evictions that violate a PodDisruptionBudget. */
    public record Victims<P>(
            @JsonProperty("Pods") List<P> pods,
            @JsonProperty("NumPDBViolations") long numPdbViolations) {
        public Victims(
                @JsonProperty("Pods") @Nullable List<P> pods, @JsonProperty("NumPDBViolations") long numPdbViolations) {
            this.pods = pods == null ? List.of() : List.copyOf(pods);
            this.numPdbViolations = numPdbViolations;
        }
    }

    public record MetaPod(@JsonProperty("UID") String uid) {
        public MetaPod {
            uid = uid == null ? "" : uid;
        }
    }

    /** The answer of {@code preempt}: the remaining candidates by node, always by UID. */
    public record ExtenderPreemptionResult(
            @JsonProperty("NodeNameToMetaVictims") Map<String, Victims<MetaPod>> nodeNameToMetaVictims) {}

    /** The request of {@code bind}. */
    public record ExtenderBindingArgs(
            @JsonProperty("PodName") @Nullable String podName,
            @JsonProperty("PodNamespace") @Nullable String podNamespace,
            @JsonProperty("PodUID") @Nullable String podUid,
            @JsonProperty("Node") @Nullable String node) {}

    /**
     * The answer of {@code bind}.
     *
     * @param error why the pod is not bound; empty if it is
     */
    public record ExtenderBindingResult(
            @JsonProperty("Error") String error) {}

    /** The parts of a Pod that are needed here. Everything else is skipped. */
    public record PodRef(
            @JsonProperty("metadata") Metadata metadata,
            @JsonProperty("spec") Spec spec) {
        public PodRef {
            metadata = metadata == null ? new Metadata("", "", "") : metadata;
            spec = spec == null ? new Spec("") : spec;
        }

        public static PodRef of(String namespace, String name, String uid, String schedulerName) {
            return new PodRef(new Metadata(name, namespace, uid), new Spec(schedulerName));
        }

        /** Returns whether the pod has a name and a namespace. */
        @JsonIgnore
        public boolean isNamed() {
            return !metadata.name.isEmpty() && !metadata.namespace.isEmpty();
        }

        /** Part of a pod's metadata; absent fields are empty. */
        public record Metadata(
                @JsonProperty("name") String name,
                @JsonProperty("namespace") String namespace,
                @JsonProperty("uid") String uid) {
            public Metadata {
                name = orEmpty(name);
                namespace = orEmpty(namespace);
                uid = orEmpty(uid);
            }
        }

        /** Part of a pod's spec; absent fields are empty. */
        public record Spec(@JsonProperty("schedulerName") String schedulerName) {
            public Spec {
                schedulerName = orEmpty(schedulerName);
            }
        }

        private static String orEmpty(@Nullable String text) {
            return text == null ? "" : text;
        }
    }
}
