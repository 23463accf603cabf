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
 * <li>The gangs gain together. For each criterion the windows of the gangs that minimize it are summed: no sum gets
 * worse, and one gets better. Under the objective {@code max-value} there is only one sum, of costs and values of
 * delay. There only the fraction {@code batch.max-value.expected-use} of each cost counts.
 * <li>These sums are equal, and the sum of starts gets less.
 * </ul>
 *
 * <p>A gain in time must reach the sum of the least gains ({@code promises.improve.gain}) of the promised gangs that
 * move. A lesser gain counts as a loss.
 */
record PlanValue(Policy policy) {
    /** Returns whether windows are assigned again by {@code StartsByValue}, so that gangs that can start now do. */
    boolean isOfStarts() {
        return policy.leastSaving() > 0 && isOfWorth();
    }

    /** Returns whether money and delay count instead of each gang's criterion. */
    boolean isOfWorth() {
        return policy.batch().objective() == Objective.MAX_VALUE;
    }

    /** Returns whether the repair improves the plan. Precondition: no gang has lost its window. */
    boolean isRaisedBy(RepairedWindows repaired) {
        return repaired.gangs().stream().anyMatch(gang -> gang.window() == null) || isOfStarts() || gains(repaired);
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
                Criterion criterion = isOfWorth() ? Criterion.VALUE : gang.gang.criterion();
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
     * Returns the figure of a window that is summed. For cost and delay the unit is a millionth of the usual one,
     * because only a fraction of the cost may count.
     */
    private BigInteger figure(Window window, Criterion criterion, Gang gang) {
        return isOfWorth()
                ? BigInteger.valueOf(window.cost().microSecondsPerHour())
                        .multiply(BigInteger.valueOf(policy.expectedUse()))
                        .add(BigInteger.valueOf(gang.delay(window.end())).multiply(BigInteger.valueOf(Split.ALL)))
                : BigInteger.valueOf(window.value(criterion, gang));
    }
}
