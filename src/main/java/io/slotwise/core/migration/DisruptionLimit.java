package io.slotwise.core.migration;

/**
 * The limit of a disruption budget on one running gang.
 *
 * @param pods how many of the gang's pods the budget covers, positive
 * @param allowed how many covered pods, of any gang, may be evicted now, not negative
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
