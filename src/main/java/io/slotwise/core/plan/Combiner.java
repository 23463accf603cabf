package io.slotwise.core.plan;

import io.slotwise.core.combination.Knapsack;
import io.slotwise.core.combination.Knapsack.Item;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Chooses one alternative per gang so that the batch serves the policy's objective within its limit.
 *
 * <p>The limit {@code auto} is the average level of the alternatives: the sum over the gangs of the mean of their
 * alternatives' costs or processor times, each rounded down; V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev,
 * "Methods and Heuristics of Scheduling in Distributed Computing with Non-dedicated Resources" (2014), section 1.1, equations
 * (2), (4) and (5). Objectives: {@code max-income} is its equation (10), {@code min-cost} its equation (12); {@code user} is the
 * least total loss of utility, a gang's loss being where its alternative lies between its best and its worst one by its own
 * criterion, as in V. Toporkov, D. Yemelyanov, A. Toporkova, "Anticipation Scheduling in Grid with Stakeholders Preferences"
 * (2017), here in millionths.
 *
 * <p>Without a limit every gang's choice stands alone: O(alternatives). With one it is a {@link Knapsack}. If the batch cannot
 * stay within the limit, gangs without a promise are left out from the queue's end until it can; promises are always allowed.
 */
final class Combiner {
    private static final long WHOLE_LOSS = 1_000_000;

    private final Policy policy;

    /** How far the batch may lie above the best one; 0: exact. */
    private long error;

    /** The batch's limit as a figure; empty: none. */
    private OptionalLong limit = OptionalLong.empty();

    Combiner(Policy policy) {
        this.policy = policy;
    }

    long error() {
        return error;
    }

    OptionalLong limit() {
        return limit;
    }

    /** Sets the window, or the reason for leaving it out, of every contender that has an alternative; in queue order. */
    void combine(List<Contender> queue) {
        List<Contender> batch = new ArrayList<>(
                queue.stream().filter(c -> !c.alternatives.isEmpty()).toList());
        if (policy.batch().limit().measure() == Measure.NOTHING) {
            batch.forEach(contender -> contender.accept(lowest(contender), Via.CYCLIC));
            return;
        }
        long allowed = policy.batch().limit().figure().orElseGet(() -> averageLevel(batch));
        limit = OptionalLong.of(allowed);
        if (!leaveOut(batch, allowed)) {
            batch.forEach(c -> c.accept(Objects.requireNonNull(c.promise).window(), Via.CYCLIC));
            return;
        }
        List<List<Item>> groups = batch.stream().map(this::items).toList();
        Knapsack.Choice choice = Knapsack.choose(groups, allowed, Knapsack.MOST_STATES);
        error = choice.error();
        for (int i = 0; i < batch.size(); i++) {
            Contender contender = batch.get(i);
            contender.accept(contender.alternatives.get(choice.items().get(i)), Via.CYCLIC);
        }
    }

    private Window lowest(Contender contender) {
        List<Item> items = items(contender);
        int best = 0;
        for (int i = 1; i < items.size(); i++) {
            if (items.get(i).value() < items.get(best).value()) {
                best = i;
            }
        }
        return contender.alternatives.get(best);
    }

    private long averageLevel(List<Contender> batch) {
        BigInteger level = BigInteger.ZERO;
        for (Contender contender : batch) {
            BigInteger sum = contender.alternatives.stream()
                    .map(window -> BigInteger.valueOf(weight(window)))
                    .reduce(BigInteger.ZERO, BigInteger::add);
            level = level.add(sum.divide(BigInteger.valueOf(contender.alternatives.size())));
        }
        return level.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    /** Takes gangs without a promise out of the batch until its least weight is within the limit; false if promises alone pass it. */
    private boolean leaveOut(List<Contender> batch, long allowed) {
        BigInteger least =
                batch.stream().map(c -> BigInteger.valueOf(least(c))).reduce(BigInteger.ZERO, BigInteger::add);
        for (int i = batch.size() - 1; i >= 0 && least.compareTo(BigInteger.valueOf(allowed)) > 0; i--) {
            Contender last = batch.get(i);
            if (!last.promised()) {
                last.leftOut = new Refusal.BatchLimit(name(), words(least), words(BigInteger.valueOf(allowed)));
                least = least.subtract(BigInteger.valueOf(least(last)));
                batch.remove(i);
            }
        }
        return least.compareTo(BigInteger.valueOf(allowed)) <= 0;
    }

    private long least(Contender contender) {
        return contender.alternatives.stream().mapToLong(this::weight).min().orElse(0);
    }

    /** What the limit counts of a window. */
    long weight(Window window) {
        return switch (policy.batch().limit().measure()) {
            case COST -> window.cost().microSecondsPerHour();
            case PROCESSOR_TIME -> window.processorTime();
            case NOTHING -> 0;
            case AVERAGE_UTILITY ->
                throw new IllegalStateException("The average utility needs the other alternatives.");
        };
    }

    private String name() {
        return policy.batch().limit().measure() == Measure.COST ? "cost" : "processor time";
    }

    private String words(BigInteger weight) {
        long figure = weight.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
        return policy.batch().limit().measure() == Measure.COST
                ? new Cost(figure).roundedUp().brief()
                : figure + " s";
    }

    /** Why a gang that needs {@code window} is left out of a batch that has already used {@code used} of the limit. */
    Refusal refusal(long used, Window window, long allowed) {
        BigInteger needed = BigInteger.valueOf(used).add(BigInteger.valueOf(weight(window)));
        return new Refusal.BatchLimit(name(), words(needed), words(BigInteger.valueOf(allowed)));
    }

    private List<Item> items(Contender contender) {
        List<Window> windows = contender.alternatives;
        Criterion criterion = contender.gang.criterion();
        long best = windows.stream().mapToLong(w -> w.value(criterion)).min().orElse(0);
        long worst = windows.stream().mapToLong(w -> w.value(criterion)).max().orElse(0);
        return windows.stream()
                .map(window -> new Item(
                        switch (policy.batch().objective()) {
                            case USER -> loss(window.value(criterion), best, worst);
                            case MIN_PROCESSOR_TIME -> window.processorTime();
                            case MAX_PROCESSOR_TIME -> -window.processorTime();
                            case MIN_COST -> window.cost().microSecondsPerHour();
                            case MAX_INCOME -> -window.cost().microSecondsPerHour();
                        },
                        weight(window)))
                .toList();
    }

    private static long loss(long value, long best, long worst) {
        return worst == best
                ? 0
                : BigInteger.valueOf(value - best)
                        .multiply(BigInteger.valueOf(WHOLE_LOSS))
                        .divide(BigInteger.valueOf(worst - best))
                        .longValueExact();
    }
}
