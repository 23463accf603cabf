package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The placement of one pod in a window.
 *
 * @param pod the pod's plain name
 * @param start RFC 3339, UTC, whole seconds
 * @param end the first second after its planned end, RFC 3339
 * @param cost currency units, six decimals; the costs of all pods add up to the window's
 * @param exactCost the cost without rounding, 1/3600 millionths of the currency unit
 * @param request the index in the window's requests; null for the first one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlacementSpec(
        String pod,
        String node,
        String start,
        String end,
        String cost,
        long exactCost,
        @Nullable Integer request) {
    /** Returns the start, seconds since the epoch. */
    public long startSecond() {
        return RecordTime.second(start);
    }

    /** Returns the end, seconds since the epoch. */
    public long endSecond() {
        return RecordTime.second(end);
    }
}
