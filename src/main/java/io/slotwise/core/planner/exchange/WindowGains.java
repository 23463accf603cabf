package io.slotwise.core.planner.exchange;

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
 * Whether gangs gain together by other windows: for each criterion its sum over the gangs that want it gets no worse,
 * and for one it gets better; under the objective {@code max-value} the sum of costs and values of delay is what
 * counts, of a cost the part that is expected to be paid ({@code batch.max-value.expected-use}). Gains in time must come to the least
 * gains ({@code promises.improve.gain}) of the promised gangs that move for them. O(seats), exact.
 */
final class WindowGains {
    private final Policy policy;

    WindowGains(Policy policy) {
        this.policy = policy;
    }

    /**
     * Whether the windows after are better together.
     *
     * @param before the windows of some gangs
     * @param after those of the same gangs
     */
    boolean areThere(Map<PlanningGang, Window> before, Map<PlanningGang, Window> after) {
        Map<Criterion, BigInteger> gains = new EnumMap<>(Criterion.class);
        Map<Criterion, BigInteger> least = new EnumMap<>(Criterion.class);
        before.forEach((contender, former) -> {
            Window other = Objects.requireNonNull(after.get(contender));
            if (!former.equals(other)) {
                Criterion criterion = judged(contender);
                BigInteger gain =
                        figure(former, criterion, contender.gang).subtract(figure(other, criterion, contender.gang));
                gains.merge(criterion, gain, BigInteger::add);
                if (criterion.isOfTime()) {
                    least.merge(criterion, BigInteger.valueOf(contender.leastGain()), BigInteger::add);
                }
            }
        });
        return gains.entrySet().stream()
                        .allMatch(gain -> gain.getValue()
                                        .compareTo(
                                                gain.getValue().signum() == 0
                                                        ? BigInteger.ZERO
                                                        : least.getOrDefault(gain.getKey(), BigInteger.ZERO))
                                >= 0)
                && gains.values().stream().anyMatch(gain -> gain.signum() > 0);
    }

    /** What is summed of a window, exactly; of worth in millionths of its unit, as a part of the cost may count. */
    private BigInteger figure(Window window, Criterion criterion, Gang gang) {
        return criterion == Criterion.VALUE && policy.batch().objective() == Objective.MAX_VALUE
                ? BigInteger.valueOf(window.cost().microSecondsPerHour())
                        .multiply(BigInteger.valueOf(policy.expectedUse()))
                        .add(BigInteger.valueOf(gang.delay(window.end())).multiply(BigInteger.valueOf(Split.ALL)))
                : BigInteger.valueOf(window.value(criterion, gang));
    }

    private Criterion judged(PlanningGang contender) {
        return policy.batch().objective() == Objective.MAX_VALUE ? Criterion.VALUE : contender.gang.criterion();
    }
}
