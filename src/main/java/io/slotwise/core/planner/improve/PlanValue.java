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
 * Which of two plans is better, of which both keep all promises: first the one in which more gangs have a window.
 * Then,
 * where windows are given anew by starts ({@code least-saving}), the one that was made so. Then the one that gains
 * for
 * the gangs together: for each criterion its sum over the gangs that want it gets no worse, and for one it gets
 * better;
 * under the objective {@code max-value} the sum of costs and values of delay is what counts, of a cost the part that
 * is
 * expected to be paid ({@code expected-use}). Last, where these sums are equal, the one with the lesser sum of
 * starts. Gains in time must come to the least gains ({@code replan-gain}) of the
 * promised gangs that move for them. O(seats), exact.
 */
record PlanValue(Policy policy) {
    /** Whether windows are given anew to those that may start now. */
    boolean isOfStarts() {
        return policy.leastSaving() > 0 && isOfWorth();
    }

    /** Whether money and delay count, and not what each gang wants. */
    boolean isOfWorth() {
        return policy.batch().objective() == Objective.MAX_VALUE;
    }

    /** Whether a draft in which no gang has lost its window is better than what there was before. */
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

    /** What is summed of a window, exactly; of worth in millionths of its unit, as a part of the cost may count. */
    private BigInteger figure(Window window, Criterion criterion, Gang gang) {
        return isOfWorth()
                ? BigInteger.valueOf(window.cost().microSecondsPerHour())
                        .multiply(BigInteger.valueOf(policy.expectedUse()))
                        .add(BigInteger.valueOf(gang.delay(window.end())).multiply(BigInteger.valueOf(Split.ALL)))
                : BigInteger.valueOf(window.value(criterion, gang));
    }
}
