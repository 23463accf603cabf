package io.slotwise.core.online;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The weight of each criterion, each in [0, 1], with the sum 1.
 *
 * @param time the time of completion or execution, with the transfer
 * @param fragmentation the fragmentation of the room that the window leaves; the paper's PE weight, which only the
 *     admin sets
 */
public record CriterionWeights(double time, double cost, double fragmentation) {
    public static final CriterionWeights DEFAULT = new CriterionWeights(0.4, 0.4, 0.2);

    private static final double TOLERANCE = 1e-9;

    public CriterionWeights {
        boolean inRange = time >= 0 && cost >= 0 && fragmentation >= 0;
        if (!inRange || !(Math.abs(time + cost + fragmentation - 1) <= TOLERANCE)) {
            throw new IllegalArgumentException(
                    "The weights (time %s, cost %s, fragmentation %s) must not be negative and must sum to 1."
                            .formatted(time, cost, fragmentation));
        }
    }

    /**
     * Returns these weights with a gang's own for time and cost, scaled to the sum 1 - fragmentation. A weight that the
     * gang does not state is this one's before the scaling. If both would be 0, these weights stay.
     */
    public CriterionWeights with(OptionalDouble ownTime, OptionalDouble ownCost) {
        double wantedTime = ownTime.orElse(time);
        double wantedCost = ownCost.orElse(cost);
        double sum = wantedTime + wantedCost;
        if (!(wantedTime >= 0) || !(wantedCost >= 0) || sum == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(
                    "A gang's weights (time %s, cost %s) must lie in [0, 1].".formatted(wantedTime, wantedCost));
        }
        if (sum == 0 || (ownTime.isEmpty() && ownCost.isEmpty())) {
            return this;
        }
        double scaled = wantedTime / sum * (1 - fragmentation);
        return new CriterionWeights(scaled, Math.max(0, 1 - fragmentation - scaled), fragmentation);
    }

    /** Returns the weights in the order of the columns of the decision matrix. */
    List<Double> columns() {
        return List.of(time, cost, fragmentation);
    }
}
