package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A window: the same start for every pod of a gang, each on a node.
 *
 * @param start RFC 3339, UTC, whole seconds
 * @param end the first second after the last pod's planned end, RFC 3339
 * @param cost the cost of the whole gang, currency units, rounded up to six decimals
 * @param exactCost the cost without rounding, 1/3600 millionths of the currency unit
 * @param exactEnergy the energy of the whole gang, milliwatt-seconds; null if the power of a node is unknown
 * @param placement one for each pod, by pod name
 * @param rates the rates of placements whose rate changes within the window, by node, cost and time
 * @param requests the different amounts that the pods pay for, each by resource (milli-cores, bytes or pieces); empty
 *     if all pay the same whatever they request, or in records without this field
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record WindowSpec(
        String start,
        String end,
        String cost,
        long exactCost,
        @Nullable Long exactEnergy,
        List<PlacementSpec> placement,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Rate> rates,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Map<String, Long>> requests) {
    /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
    public WindowSpec {
        placement = List.copyOf(placement);
        rates = rates == null ? List.of() : List.copyOf(rates);
        requests = requests == null ? List.of() : List.copyOf(requests);
    }

    /**
     * The rate of a pod from a second until the next rate of its placement.
     *
     * @param exactCost the exact cost of the placements that this applies to
     * @param from the first second, RFC 3339
     * @param rate millionths of the currency unit per hour
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Rate(String node, long exactCost, String from, long rate) {}

    /** Returns the start, seconds since the epoch. */
    public long startSecond() {
        return RecordTime.second(start);
    }

    /** Returns the end, seconds since the epoch. */
    public long endSecond() {
        return RecordTime.second(end);
    }

    /** Returns the pod's placement, or null. O(pods). */
    public @Nullable PlacementSpec placementOf(String pod) {
        for (PlacementSpec placementSpec : placement) {
            if (placementSpec.pod().equals(pod)) {
                return placementSpec;
            }
        }
        return null;
    }
}
