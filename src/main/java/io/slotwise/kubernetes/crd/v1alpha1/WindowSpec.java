package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same start for every pod of a gang, each on a named node.
 *
 * @param start RFC 3339, UTC, whole seconds
 * @param end the first second after the last pod's planned end, RFC 3339
 * @param cost of the whole gang, currency units, rounded up to six decimals
 * @param exactCost the same without rounding, 1/3600 millionths of the currency unit
 * @param exactEnergy of the whole gang, milliwatt-seconds; null if a node does not tell its power
 * @param placement one for each pod, by pod name
 * @param rates what pods pay in places whose rate changes inside the window, by node, cost and time
 * @param requests the different amounts that the pods pay by, each by resource: milli-cores, bytes or pieces; none:
 *     they pay the same whatever they take, or the record was written before this field existed
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
    /** A reader hands in null for what the server does not have. */
    public WindowSpec {
        placement = List.copyOf(placement);
        rates = rates == null ? List.of() : List.copyOf(rates);
        requests = requests == null ? List.of() : List.copyOf(requests);
    }

    /**
     * What a pod pays from some second on, until the next rate of its place.
     *
     * @param node where
     * @param exactCost of the places that this is for
     * @param from the first second, RFC 3339
     * @param rate millionths of the currency unit per hour
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Rate(String node, long exactCost, String from, long rate) {}

    /** The start, seconds since the epoch. */
    public long startSecond() {
        return Instant.parse(start).getEpochSecond();
    }

    /** The end, seconds since the epoch. */
    public long endSecond() {
        return Instant.parse(end).getEpochSecond();
    }

    /** The pod's place, or null if the window has none for it; O(pods). */
    public @Nullable PlacementSpec placementOf(String pod) {
        for (PlacementSpec placementSpec : placement) {
            if (placementSpec.pod().equals(pod)) {
                return placementSpec;
            }
        }
        return null;
    }
}
