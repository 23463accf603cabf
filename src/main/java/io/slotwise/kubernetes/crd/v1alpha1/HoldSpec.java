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
 * The room that an advance reservation asks for. A person writes it; it never changes. Texts look as in the annotations
 * of pods.
 *
 * @param size how many seats
 * @param resources what each seat takes of its node
 * @param runtime how long, on a node of performance 1; null: the length of the window, on every node, or else the
 *     policy's default
 * @param window exactly when; null: between {@code earliest} and {@code deadline}
 * @param earliest it starts no earlier, RFC 3339; null: no limit
 * @param deadline it ends no later, RFC 3339; null: no limit
 * @param budget the most that it may cost, currency units; null: no limit
 * @param criterion what is to be least; null: the policy's default
 * @param preferredStart when it would better start, with a weight; null: any time
 * @param preferredFinish by when it would better end, with a weight; null: any time
 * @param preferredCost what it would better cost at most, with a weight; null: anything
 * @param topology a node label's key: all seats inside one value of it; null: no such limit
 * @param maxPerNode the most seats on one node; null: no limit
 * @param lockstep whether every seat is kept until the slowest ends; null: no
 * @param nodeSelector labels that the nodes must have
 * @param tolerations of the nodes' taints
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
    /** A reader hands in null for what the server does not have. */
    public HoldSpec {
        resources = sorted(resources);
        nodeSelector = sorted(nodeSelector);
        tolerations = tolerations == null ? List.of() : List.copyOf(tolerations);
    }

    /** In an order that is always the same, as it is written. */
    private static <V> SortedMap<String, V> sorted(@Nullable Map<String, V> map) {
        return Collections.unmodifiableSortedMap(map == null ? new TreeMap<>() : new TreeMap<>(map));
    }

    /**
     * A stretch of time.
     *
     * @param start its first second, RFC 3339; null: it is not said, which no API server lets through
     * @param end the first second after it, RFC 3339; null: as start
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Span(@Nullable String start, @Nullable String end) {}
}
