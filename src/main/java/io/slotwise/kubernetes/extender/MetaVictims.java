package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Victims on one node, by UID.
 *
 * @param pods the pods to evict
 * @param numPdbViolations how many evictions break a PodDisruptionBudget
 */
public record MetaVictims(
        @JsonProperty("Pods") List<MetaPod> pods,
        @JsonProperty("NumPDBViolations") long numPdbViolations) {
    public MetaVictims(
            @JsonProperty("Pods") @Nullable List<MetaPod> pods,
            @JsonProperty("NumPDBViolations") long numPdbViolations) {
        this.pods = pods == null ? List.of() : List.copyOf(pods);
        this.numPdbViolations = numPdbViolations;
    }

    /**
     * A pod.
     *
     * @param uid its UID
     */
    public record MetaPod(@JsonProperty("UID") String uid) {
        public MetaPod {
            uid = uid == null ? "" : uid;
        }
    }
}
