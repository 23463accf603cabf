package io.slotwise.kubernetes.crd.v1alpha1;

import io.slotwise.core.text.SafeText;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times in custom resources: RFC 3339 instants, as the API server stores them. */
final class RecordTime {
    private RecordTime() {}

    /**
     * Returns seconds since the epoch.
     *
     * @param instant null if the object lacks it, which the API server refuses
     * @throws IllegalArgumentException if it is not an instant
     */
    static long second(@Nullable String instant) {
        try {
            return Instant.parse(instant == null ? "" : instant).getEpochSecond();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "a time (%s) is not valid: expected an RFC 3339 instant such as 2030-01-31T12:00:00Z"
                            .formatted(SafeText.value(instant == null ? "" : instant)),
                    e);
        }
    }
}
