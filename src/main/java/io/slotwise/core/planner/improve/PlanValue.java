package io.slotwise.core.planner.improve;

import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Compares a repaired plan with the plan before it. Both keep all promises. The comparison is exact and takes
 * O(placements).
 *
 * <p>The repaired plan is better in each of these cases:
 * <ul>
 * <li>It gives a window to a gang that had none.
 * <li>Windows are assigned again in the order of value, because the policy has {@code batch.max-value.least-saving}.
 * <li>The values of the windows improve in sum. There is one sum for each criterion, over the gangs that minimize it.
 * No sum gets worse, and at least one gets better. Under the objective {@code max-value} there is only one sum, of
 * costs and values of delay, in which only the fraction {@code batch.max-value.expected-use} of each cost counts.
 * <li>These sums are equal, and the windows start earlier in sum.
 * </ul>
 *
 * <p>Each promised gang that moves needs a least gain in time ({@code promises.improve.gain}). If the gain in a sum of
 * times is less than the sum of these, it counts as a loss.
 */
record PlanValue(Policy policy) {
    /** Returns whether {@code StartsByValue} assigns all windows again, so that the gangs of most value start first. */
    boolean assignsByValue() {
        return policy.leastSaving() > 0 && countsMoneyAndDelay();
    }

    /** Returns whether money and delay count instead of each gang's criterion. */
    boolean countsMoneyAndDelay() {
        return policy.batch().objective() == Objective.MAX_VALUE;
    }

    /** Returns whether the repair improves the plan. Precondition: no gang has lost its window. */
    boolean isRaisedBy(RepairedWindows repaired) {
        return repaired.gangs().stream().anyMatch(gang -> gang.window() == null) || assignsByValue() || gains(repaired);
    }

    private boolean gains(RepairedWindows repaired) {
        Map<Criterion, BigInteger> gains = new EnumMap<>(Criterion.class);
        Map<Criterion, BigInteger> least = new EnumMap<>(Criterion.class);
        long sooner = 0;
        long leastSooner = 0;
        for (PlanningGang gang : repaired.gangs()) {
            if (repaired.moves(gang)) {
                Window before = RepairedWindows.former(gang);
                Window after = Objects.requireNonNull(repaired.window(gang));
                Criterion criterion = countsMoneyAndDelay() ? Criterion.VALUE : gang.gang.criterion();
                BigInteger gain = figure(before, criterion, gang.gang).subtract(figure(after, criterion, gang.gang));
                sooner += before.start() - after.start();
                leastSooner += gang.leastGain();
                gains.merge(criterion, gain, BigInteger::add);
                if (criterion.isOfTime()) {
                    least.merge(criterion, BigInteger.valueOf(gang.leastGain()), BigInteger::add);
                }
            }
        }
        boolean worse = gains.entrySet().stream()
                .anyMatch(entry -> entry.getValue().signum() != 0
                        && entry.getValue().compareTo(least.getOrDefault(entry.getKey(), BigInteger.ZERO)) < 0);
        return !worse
                && (gains.values().stream().anyMatch(gain -> gain.signum() > 0)
                        || (sooner > 0 && sooner >= leastSooner));
    }

    /**
     * Returns the value of a window for the sum of a criterion. For cost and delay the unit is a millionth of
     * 1/3600 millionths of the currency unit, because only a fraction of the cost may count.
     */
    private BigInteger figure(Window window, Criterion criterion, Gang gang) {
        return countsMoneyAndDelay()
                ? BigInteger.valueOf(window.cost().microSecondsPerHour())
                        .multiply(BigInteger.valueOf(policy.expectedUse()))
                        .add(BigInteger.valueOf(gang.delay(window.end())).multiply(BigInteger.valueOf(Split.ALL)))
                : BigInteger.valueOf(window.value(criterion, gang));
    }
}
