package io.slotwise.core.planner.batch;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.Item;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gang in the combination of its batch, with its alternatives as figures.
 *
 * <p>The loss of utility of an alternative is its position between the gang's best and worst alternative by the gang's
 * own criterion: the paper on anticipation, section 2. Here losses are in millionths, over all alternatives that were
 * found. A limit counts them rounded up.
 *
 * @param windows the alternatives, at least one
 * @param items the alternatives in the same order, with the value for the objective and the weight for the limit
 * @param losses the losses of utility in millionths, rounded down
 * @param average the mean of the weights, rounded down
 */
record BatchCandidate(PlanningGang gang, List<Window> windows, List<Item> items, List<Long> losses, long average) {
    /** The loss of the worst alternative, in millionths. */
    static final long WHOLE_LOSS = 1_000_000;

    private static final List<Long> NO_LOSS = List.of(0L);

    BatchCandidate {
        windows = List.copyOf(windows);
        items = List.copyOf(items);
        losses = List.copyOf(losses);
    }

    static BatchCandidate of(
            GangAlternatives foundAlternatives, Objective objective, Measure measure, AccountBalances balances) {
        PlanningGang planningGang = foundAlternatives.gang();
        List<Window> windows = foundAlternatives.windows();
        if (windows.size() == 1) {
            return only(planningGang, windows, objective, measure, balances);
        }
        Gang gang = planningGang.gang;
        long best =
                windows.stream().mapToLong(window -> window.value(gang)).min().orElse(0);
        // Sums of absolute values could overflow a long where delays are worth much; sums of excesses hardly can.
        long base = objective == Objective.MAX_VALUE
                ? windows.stream()
                        .mapToLong(window -> window.costWithDelay(gang))
                        .min()
                        .orElse(0)
                : 0;
        long worst =
                windows.stream().mapToLong(window -> window.value(gang)).max().orElse(0);
        List<Long> losses = new ArrayList<>();
        List<Item> items = new ArrayList<>();
        String holder = holder(windows, balances);
        BigInteger sum = BigInteger.ZERO;
        for (Window window : windows) {
            long loss = loss(window.value(gang), best, worst, RoundingMode.DOWN);
            losses.add(loss);
            long limited = loss(window.value(gang), best, worst, RoundingMode.UP);
            long value = objective == Objective.USER ? loss : value(objective, window, gang) - base;
            long weight = measure == Measure.AVERAGE_UTILITY ? limited : weight(measure, window);
            sum = sum.add(BigInteger.valueOf(weight));
            Account account = charged(planningGang, window, holder, balances);
            items.add(new Item(
                    value, weight, account, account == null ? 0 : window.cost().microSecondsPerHour()));
        }
        return new BatchCandidate(
                planningGang,
                windows,
                items,
                losses,
                sum.divide(BigInteger.valueOf(losses.size())).longValueExact());
    }

    /** Returns the candidate of a gang with a single alternative, whose figures are not needed. */
    private static BatchCandidate only(
            PlanningGang gang, List<Window> windows, Objective objective, Measure measure, AccountBalances balances) {
        Window window = windows.getFirst();
        long weight = weight(measure, window);
        Account account = charged(gang, window, holder(windows, balances), balances);
        Item item = new Item(
                switch (objective) {
                    case USER, MAX_VALUE -> 0;
                    case MIN_PROCESSOR_TIME, MAX_PROCESSOR_TIME, MIN_COST, MAX_INCOME ->
                        value(objective, window, gang.gang);
                },
                weight,
                account,
                account == null ? 0 : window.cost().microSecondsPerHour());
        return new BatchCandidate(gang, windows, List.of(item), NO_LOSS, weight);
    }

    private static long value(Objective objective, Window window, Gang gang) {
        return switch (objective) {
            case USER -> throw new IllegalArgumentException("The loss of utility needs the other alternatives.");
            case MIN_PROCESSOR_TIME -> window.processorTime();
            case MAX_PROCESSOR_TIME -> -window.processorTime();
            case MIN_COST -> window.cost().microSecondsPerHour();
            case MAX_INCOME -> -window.cost().microSecondsPerHour();
            case MAX_VALUE -> window.costWithDelay(gang);
        };
    }

    /** Returns what a limit counts of a window, regardless of the alternatives. */
    static long weight(Measure measure, Window window) {
        return switch (measure) {
            case COST -> window.cost().microSecondsPerHour();
            case PROCESSOR_TIME -> window.processorTime();
            case NOTHING, AVERAGE_UTILITY -> 0;
        };
    }

    private static long loss(long value, long best, long worst, RoundingMode mode) {
        if (worst == best) {
            return 0;
        }
        BigInteger[] loss = BigInteger.valueOf(value)
                .subtract(BigInteger.valueOf(best))
                .multiply(BigInteger.valueOf(WHOLE_LOSS))
                .divideAndRemainder(BigInteger.valueOf(worst).subtract(BigInteger.valueOf(best)));
        return loss[0].longValueExact() + (mode == RoundingMode.UP && loss[1].signum() > 0 ? 1 : 0);
    }

    /** Returns the holder with the least left for the best window that some account pays for, or null. */
    private static @Nullable String holder(List<Window> windows, AccountBalances balances) {
        return windows.stream()
                .flatMap(window -> balances.of(window).stream())
                .findFirst()
                .map(Account::holder)
                .orElse(null);
    }

    /** Returns the holder's account that pays. A promise's money is put aside, so only other periods are charged. */
    private static @Nullable Account charged(
            PlanningGang gang, Window window, @Nullable String holder, AccountBalances balances) {
        Account account =
                holder == null ? null : balances.at(holder, window.start()).orElse(null);
        Promise promise = gang.promise();
        boolean paid = promise != null
                && account != null
                && account.covers(promise.window().start());
        return paid ? null : account;
    }

    GangId id() {
        return gang.gang.id();
    }

    boolean promised() {
        return gang.promised();
    }

    Window window(int item) {
        return windows.get(item);
    }

    boolean isFree() {
        for (Item item : items) {
            if (item.account() != null) {
                return false;
            }
        }
        return true;
    }

    boolean payable() {
        return items.stream().anyMatch(BatchCandidate::payable);
    }

    private static boolean payable(Item item) {
        Account account = item.account();
        return account == null || item.charge() <= account.left().microSecondsPerHour();
    }

    /**
     * Returns the alternative, or if it is the promise, the first that may replace it and serves the batch equally.
     * Ties go to the window that starts or ends earlier or costs less. It needs no money of another period.
     */
    int improved(int item) {
        if (gang.promise() == null || !window(item).equals(gang.promise().window())) {
            return item;
        }
        Item promiseItem = items.get(item);
        for (int i = 0; i < items.size(); i++) {
            Item other = items.get(i);
            if (i != item
                    && other.value() == promiseItem.value()
                    && other.weight() <= promiseItem.weight()
                    && other.account() == null) {
                return i;
            }
        }
        return item;
    }

    /** Returns the index of the gang's best alternative; the first of equals. */
    int favourite() {
        int best = 0;
        for (int i = 1; i < losses.size(); i++) {
            if (losses.get(i) < losses.get(best)) {
                best = i;
            }
        }
        return best;
    }
}
