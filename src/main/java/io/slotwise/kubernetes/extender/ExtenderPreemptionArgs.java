package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
}
