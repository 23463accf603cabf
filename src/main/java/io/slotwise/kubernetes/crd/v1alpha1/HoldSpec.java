package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The request of an advance reservation, written by a user and immutable. Texts have the formats of pod annotations.
 *
 * @param size the number of seats
 * @param resources the request of each seat
 * @param runtime on a node of performance 1; null for the length of the window, on every node, or without a window for
 *     the policy's default
 * @param window the exact time; null for any time between {@code earliest} and {@code deadline}
 * @param earliest the earliest start, RFC 3339, or null
 * @param deadline the latest end, RFC 3339, or null
 * @param budget the maximum cost, currency units, or null
 * @param criterion the criterion to minimize; null for the default of the policy
 * @param preferredStart with a weight, or null
 * @param preferredFinish the preferred latest end with a weight, or null
 * @param preferredCost the preferred maximum cost with a weight, or null
 * @param topology the key of a node label of which all seats are within one value, or null
 * @param maxPerNode the most seats on one node, or null
 * @param lockstep whether every seat is kept until the slowest ends; null for no
 * @param nodeSelector labels that the nodes must have
 * @param tolerations the tolerations of the nodes' taints
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record HoldSpec(
        int size,
        Map<String, Quantity> resources,
        @Nullable String runtime,
        @Nullable Span window,
        @Nullable String earliest,
        @Nullable String deadline,
        @Nullable String budget,
        @Nullable String criterion,
        @Nullable String preferredStart,
        @Nullable String preferredFinish,
        @Nullable String preferredCost,
        @Nullable String topology,
        @Nullable Integer maxPerNode,
        @Nullable Boolean lockstep,
        Map<String, String> nodeSelector,
        List<Toleration> tolerations) {
    /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
    public HoldSpec {
        resources = sorted(resources);
        nodeSelector = sorted(nodeSelector);
        tolerations = tolerations == null ? List.of() : List.copyOf(tolerations);
    }

    private static <V> SortedMap<String, V> sorted(@Nullable Map<String, V> map) {
        return Collections.unmodifiableSortedMap(map == null ? new TreeMap<>() : new TreeMap<>(map));
    }

    /**
     * A time interval.
     *
     * @param start the first second, RFC 3339; the API server rejects null
     * @param end the first second after it, RFC 3339; the API server rejects null
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Span(@Nullable String start, @Nullable String end) {}
}
