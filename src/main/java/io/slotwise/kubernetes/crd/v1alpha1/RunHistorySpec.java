package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last runs of a namespace's workloads.
 *
 * @param workloads the workloads by their keys
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record RunHistorySpec(List<Series> workloads) {
    /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
    public RunHistorySpec {
        workloads = workloads == null ? List.of() : List.copyOf(workloads);
    }

    /**
     * The last runs of one workload.
     *
     * @param key a fingerprint of its owner, roles, requests and images
     * @param name the name for people
     * @param runs the runs in the order in which they ended
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Series(String key, String name, List<Run> runs) {
        /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
        public Series {
            runs = runs == null ? List.of() : List.copyOf(runs);
        }
    }

    /**
     * A run.
     *
     * @param endedAt RFC 3339
     * @param seconds the runtime on a node of performance 1
     * @param planned the planned maximum runtime on a node of performance 1, seconds; null if unknown
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Run(
            String id,
            String endedAt,
            long seconds,
            @Nullable Long planned) {}
}
