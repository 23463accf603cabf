package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One pod's place in a window.
 *
 * @param pod the pod's plain name
 * @param node where it runs
 * @param start RFC 3339, UTC, whole seconds
 * @param end the first second after its planned end, RFC 3339
 * @param cost currency units, six decimals; the pods' costs add up to the window's
 * @param exactCost the same without rounding, 1/3600 millionths of the currency unit
 * @param request which of the window's requests is the pod's; null: the first one
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
    /** The start, seconds since the epoch. */
    public long startSecond() {
        return Instant.parse(start).getEpochSecond();
    }

    /** The end, seconds since the epoch. */
    public long endSecond() {
        return Instant.parse(end).getEpochSecond();
    }
}
