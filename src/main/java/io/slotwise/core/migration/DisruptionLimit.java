package io.slotwise.core.migration;

/**
 * What a disruption budget of the host says of one gang that runs.
 *
 * @param pods how many of the gang's pods it covers, positive
 * @param allowed how many pods that it covers may be evicted now, whosever they are, not negative
 */
public record DisruptionLimit(String budget, int pods, int allowed) {
    public DisruptionLimit {
        if (pods <= 0 || allowed < 0) {
            throw new IllegalArgumentException(
                    ("The pods (%d) under the disruption budget (%s) must be positive, the evictions allowed "
                                    + "(%d) not negative.")
                            .formatted(pods, budget, allowed));
        }
    }
}
