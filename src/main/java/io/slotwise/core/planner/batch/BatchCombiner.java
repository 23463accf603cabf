package io.slotwise.core.planner.batch;

import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.BatchChoice;
import io.slotwise.core.combination.Item;
import io.slotwise.core.combination.Knapsack;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.planner.batch.BatchCombination.Chosen;
import io.slotwise.core.planner.batch.BatchCombination.LeftOut;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Chooses one alternative per gang so that the batch serves the policy's objective within its limit and the namespaces'
 * accounts.
 *
 * <p>The limit {@code auto} is the average level of the alternatives: the sum over the gangs of the mean cost,
 * processor time or loss of their alternatives, each rounded down (equations 2, 4, 5). The objectives {@code
 * max-income}, {@code min-processor-time}, {@code min-cost} and {@code max-processor-time} are equations 10 to 13, each
 * under any limit. {@code user} is the least total loss of utility ({@link BatchCandidate}). {@code max-value}, which
 * is not of the paper, is the least sum of the windows' costs and of the values of their delays.
 *
 * <p>A chosen promise gives way to an improvement of it that serves the batch equally. Ties of the objective go to the
 * window that starts or ends earlier or costs less, as ties of a criterion do.
 *
 * <p>Without a limit and accounts every gang chooses independently: O(alternatives). Otherwise the choice is a {@link
 * Knapsack}. If the batch cannot stay within limit and accounts, gangs without a promise are left out from the queue's
 * end until it can. A gang stays if leaving it out would not help. Promises are always allowed: if they alone exceed
 * the limit, the limit is raised to their lightest choice.
 *
 * <p>Source: the paper on the cyclic scheme, section 1.1.
 */
public final class BatchCombiner {
    private final Policy.Batch batchPolicy;
    private final AccountBalances balances;
    private final BatchLimit batchLimit;
    private final List<String> notes = new ArrayList<>();
    private final List<ChoiceExplanation> choices = new ArrayList<>();

    BatchCombiner(Policy.Batch batch, AccountBalances balances, int gangs) {
        this.batchPolicy = batch;
        this.balances = balances;
        this.batchLimit = new BatchLimit(batch.limit(), gangs);
    }

    public BatchLimit limit() {
        return batchLimit;
    }

    public List<String> notes() {
        return notes;
    }

    public List<ChoiceExplanation> choices() {
        return choices;
    }

    /** Returns one alternative of every gang that has any besides {@code later} promises, and the gangs left out. */
    BatchCombination combine(List<GangAlternatives> found, List<Window> later) {
        List<BatchCandidate> batch = found.stream()
                .filter(alternatives -> !alternatives.windows().isEmpty())
                .map(alternatives ->
                        BatchCandidate.of(alternatives, batchPolicy.objective(), batchLimit.measure(), balances))
                .filter(BatchCandidate::payable)
                .collect(Collectors.toCollection(ArrayList::new));
        return isEachForItself(batch) ? combineEach(found.size(), batch) : combineAll(found.size(), batch, later);
    }

    private boolean isEachForItself(List<BatchCandidate> batch) {
        return batchPolicy.objective() == Objective.USER
                && !batchLimit.isLimited()
                && batch.stream().allMatch(BatchCandidate::isFree);
    }

    private BatchCombination combineEach(int gangs, List<BatchCandidate> batch) {
        List<BatchCandidate> choosing =
                batch.stream().filter(candidate -> candidate.items().size() > 1).toList();
        BatchChoice firstsChoice = new BatchChoice(Collections.nCopies(choosing.size(), 0), 0);
        BatchChoice choice = Knapsack.of(items(choosing), Knapsack.UNLIMITED)
                .withChoice(firstsChoice)
                .choose()
                .orElse(firstsChoice);
        Iterator<Integer> next = choice.items().iterator();
        List<Integer> all = batch.stream()
                .map(candidate -> candidate.items().size() > 1 ? next.next() : 0)
                .toList();
        return combination(gangs, batch, new BatchChoice(all, choice.error()), Knapsack.UNLIMITED, List.of());
    }

    private static List<List<Item>> items(List<BatchCandidate> batch) {
        return batch.stream().map(BatchCandidate::items).toList();
    }

    private BatchCombination combineAll(int gangs, List<BatchCandidate> batch, List<Window> later) {
        LightestChoice feasibilityChoice = new LightestChoice(batch, batchLimit.isLimited());
        batch.removeAll(feasibilityChoice.unpaid());
        BigInteger reserved = later.stream().map(batchLimit::weight).reduce(BigInteger.ZERO, BigInteger::add);
        List<LeftOut> leftOut = batchLimit.isLimited() ? leaveOut(batch, feasibilityChoice, reserved) : List.of();
        long limit = limit(gangs, batchLimit.most(batch, reserved), feasibilityChoice.least());
        List<Integer> lightest = batch.stream().map(feasibilityChoice::item).toList();
        BatchChoice knownChoice = new BatchChoice(lightest, 0);
        BatchChoice choice = Knapsack.of(items(batch), limit)
                .withChoice(knownChoice)
                .choose()
                .orElse(knownChoice);
        return combination(gangs, batch, choice, limit, leftOut);
    }

    private BatchCombination combination(
            int gangs, List<BatchCandidate> batch, BatchChoice foundChoice, long limit, List<LeftOut> leftOut) {
        BatchChoice choice = improved(batch, foundChoice);
        if (choice.error() > 0) {
            notes.add(bounded(choice.error(), batch.size()));
        }
        new ChoiceExplainer(batchPolicy, batchLimit, batch, choice.items(), limit).tell(choices);
        BatchCombination combination = new BatchCombination(chosen(batch, choice), leftOut);
        batchLimit.use(gangs, batch.size(), combination.weight());
        return combination;
    }

    private static List<Chosen> chosen(List<BatchCandidate> batch, BatchChoice choice) {
        return IntStream.range(0, batch.size())
                .mapToObj(i -> {
                    BatchCandidate candidate = batch.get(i);
                    int item = choice.items().get(i);
                    return new Chosen(
                            candidate.gang(),
                            candidate.window(item),
                            candidate.items().get(item).weight());
                })
                .toList();
    }

    private static BatchChoice improved(List<BatchCandidate> batch, BatchChoice choice) {
        return new BatchChoice(
                IntStream.range(0, batch.size())
                        .mapToObj(i -> batch.get(i).improved(choice.items().get(i)))
                        .toList(),
                choice.error());
    }

    private long limit(int gangs, BigInteger most, BigInteger least) {
        if (!batchLimit.isLimited()) {
            return Knapsack.UNLIMITED;
        }
        return batchLimit
                .share(gangs, most)
                .max(least)
                .min(BigInteger.valueOf(Knapsack.UNLIMITED - 1))
                .longValueExact();
    }

    /** Removes gangs without a promise from the batch, from the end, until its lightest choice is within the limit. */
    private List<LeftOut> leaveOut(List<BatchCandidate> batch, LightestChoice choice, BigInteger reserved) {
        BigInteger wholeLeast = choice.least();
        BigInteger wholeMost = batchLimit.most(batch, reserved);
        int whole = batch.size();
        List<LeftOut> out = new ArrayList<>();
        for (int i = whole - 1; i >= 0; i--) {
            BigInteger least = choice.least();
            BigInteger most = batchLimit.most(batch, reserved);
            if (least.compareTo(most) <= 0) {
                break;
            }
            BatchCandidate last = batch.get(i);
            if (!last.promised() && choice.leaveOut(last, batchLimit.each(last))) {
                out.add(new LeftOut(
                        last.gang(),
                        new Refusal.BatchLimit(
                                batchLimit.name(),
                                batchLimit.words(least, batch.size()),
                                batchLimit.words(most.max(BigInteger.ZERO), batch.size()),
                                batchLimit.words(wholeLeast, whole))));
                batch.remove(i);
            }
        }
        if (wholeLeast.compareTo(wholeMost) > 0) {
            notes.add(tooLow(
                    batchLimit.words(wholeMost.max(BigInteger.ZERO), whole), batchLimit.words(wholeLeast, whole), out));
        }
        return out;
    }

    private String tooLow(String limit, String least, List<LeftOut> out) {
        return "the limit on the %s (%s) is too low for the whole batch, which needs at least %s; %s"
                .formatted(
                        batchLimit.name(),
                        limit,
                        least,
                        out.isEmpty()
                                ? "promises alone exceed it"
                                : "left out: "
                                        + out.reversed().stream()
                                                .map(leftOut ->
                                                        leftOut.gang().gang.id().toString())
                                                .collect(Collectors.joining(", ")));
    }

    private String bounded(long error, int gangs) {
        String figure = switch (batchPolicy.objective()) {
            case USER -> "average loss of utility lies at most " + BatchLimit.percent(BigInteger.valueOf(error), gangs);
            case MIN_COST, MAX_INCOME ->
                "cost lies at most " + new Cost(error).roundedUp().brief();
            case MAX_VALUE ->
                "cost and delay lie at most " + new Cost(error).roundedUp().brief();
            case MIN_PROCESSOR_TIME, MAX_PROCESSOR_TIME -> "processor time lies at most " + error + " s";
        };
        return "the combination of the batch was bounded: its %s from the best one".formatted(figure);
    }
}
