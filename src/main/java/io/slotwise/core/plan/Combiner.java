package io.slotwise.core.plan;

import io.slotwise.core.combination.Choice;
import io.slotwise.core.combination.Item;
import io.slotwise.core.combination.Knapsack;
import io.slotwise.core.combination.Purses;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Combination.Chosen;
import io.slotwise.core.plan.Combination.LeftOut;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Chooses one alternative per gang so that the batch serves the policy's objective within its limit and the namespaces'
 * accounts.
 *
 * <p>The limit {@code auto} is the average level of the alternatives: the sum over the gangs of the mean of their
 * alternatives' costs, processor times or losses of utility, each rounded down; V. Toporkov, A. Bobchenkov, D. Emelyanov, A.
 * Tselishchev, "Methods and Heuristics of Scheduling in Distributed Computing with Non-dedicated Resources" (2014), section
 * 1.1, equations (2), (4) and (5). Objectives: {@code max-income} is its equation (10), {@code min-processor-time} its (11),
 * {@code min-cost} its (12), {@code max-processor-time} its (13), each under any limit; {@code user} is the least total loss of
 * utility ({@link Candidate}); {@code max-value}, which is ours, is the least sum of the windows' costs and of what their delays are worth to the gangs.
 *
 * <p>A promise that was chosen gives way to an improvement of it that serves the batch as well: ties of the objective go to the
 * window that starts or ends earlier or costs less, as those of a criterion do.
 *
 * <p>Without a limit and accounts every gang's choice stands alone: O(alternatives). Otherwise it is a {@link Knapsack}. If the
 * batch cannot stay within them, gangs without a promise are left out from the queue's end until it can; a gang stays if
 * leaving it out would not help. Promises are always allowed: if they alone pass the limit, it is as high as their lightest
 * choice.
 */
final class Combiner {
    private final Policy.Batch policy;
    private final Purses purses;
    private final Allowance allowance;
    private final List<String> notes = new ArrayList<>();
    private final List<Deliberation> choices = new ArrayList<>();

    Combiner(Policy.Batch policy, Purses purses, int gangs) {
        this.policy = policy;
        this.purses = purses;
        this.allowance = new Allowance(policy.limit(), gangs);
    }

    Allowance allowance() {
        return allowance;
    }

    List<String> notes() {
        return notes;
    }

    List<Deliberation> choices() {
        return choices;
    }

    /**
     * One alternative of every gang that has any, or why it is left out. Neither the gangs nor room and money change.
     *
     * @param found a sub-batch in queue order, the money of whose promises is put aside
     * @param later the promises of sub-batches to come
     */
    Combination combine(List<Alternatives> found, List<Window> later) {
        List<Candidate> batch = found.stream()
                .filter(one -> !one.windows().isEmpty())
                .map(one -> Candidate.of(one, policy.objective(), allowance.measure(), purses))
                .filter(Candidate::payable)
                .collect(Collectors.toCollection(ArrayList::new));
        Feasibility feasibility = new Feasibility(batch, allowance.isLimited());
        batch.removeAll(feasibility.unpaid());
        BigInteger reserved = later.stream().map(allowance::weight).reduce(BigInteger.ZERO, BigInteger::add);
        List<LeftOut> leftOut = allowance.isLimited() ? leaveOut(batch, feasibility, reserved) : List.of();
        long limit = limit(found.size(), allowance.most(batch, reserved), feasibility.least());
        List<List<Item>> groups = batch.stream().map(Candidate::items).toList();
        List<Integer> lightest = batch.stream().map(feasibility::item).toList();
        Choice known = new Choice(lightest, 0);
        Choice choice = improved(
                batch, Knapsack.of(groups, limit).startingFrom(known).choose().orElse(known));
        if (choice.error() > 0) {
            notes.add(bounded(choice.error(), batch.size()));
        }
        new Verdict(policy, allowance, batch, choice.items(), limit).tell(choices);
        Combination combination = new Combination(chosen(batch, choice), leftOut);
        allowance.use(found.size(), batch.size(), combination.weight());
        return combination;
    }

    private static List<Chosen> chosen(List<Candidate> batch, Choice choice) {
        return IntStream.range(0, batch.size())
                .mapToObj(i -> {
                    Candidate candidate = batch.get(i);
                    int item = choice.items().get(i);
                    return new Chosen(
                            candidate.contender(),
                            candidate.window(item),
                            candidate.items().get(item).weight());
                })
                .toList();
    }

    private static Choice improved(List<Candidate> batch, Choice choice) {
        return new Choice(
                IntStream.range(0, batch.size())
                        .mapToObj(i -> batch.get(i).improved(choice.items().get(i)))
                        .toList(),
                choice.error());
    }

    private long limit(int gangs, BigInteger most, BigInteger least) {
        if (!allowance.isLimited()) {
            return Knapsack.UNLIMITED;
        }
        return allowance
                .share(gangs, most)
                .max(least)
                .min(BigInteger.valueOf(Knapsack.UNLIMITED - 1))
                .longValueExact();
    }

    /** Takes gangs without a promise out of the batch, from the end, until its lightest choice is within the limit. */
    private List<LeftOut> leaveOut(List<Candidate> batch, Feasibility feasibility, BigInteger reserved) {
        BigInteger wholeLeast = feasibility.least();
        BigInteger wholeMost = allowance.most(batch, reserved);
        int whole = batch.size();
        List<LeftOut> out = new ArrayList<>();
        for (int i = whole - 1; i >= 0; i--) {
            BigInteger least = feasibility.least();
            BigInteger most = allowance.most(batch, reserved);
            if (least.compareTo(most) <= 0) {
                break;
            }
            Candidate last = batch.get(i);
            if (!last.promised() && feasibility.leaveOut(last, allowance.each(last))) {
                out.add(new LeftOut(
                        last.contender(),
                        new Refusal.BatchLimit(
                                allowance.name(),
                                allowance.words(least, batch.size()),
                                allowance.words(most.max(BigInteger.ZERO), batch.size()),
                                allowance.words(wholeLeast, whole))));
                batch.remove(i);
            }
        }
        if (wholeLeast.compareTo(wholeMost) > 0) {
            notes.add(tooLow(
                    allowance.words(wholeMost.max(BigInteger.ZERO), whole), allowance.words(wholeLeast, whole), out));
        }
        return out;
    }

    private String tooLow(String limit, String least, List<LeftOut> out) {
        return "the limit on the %s (%s) is too low for the whole batch, which needs at least %s; %s"
                .formatted(
                        allowance.name(),
                        limit,
                        least,
                        out.isEmpty()
                                ? "promises alone exceed it"
                                : "left out: "
                                        + out.reversed().stream()
                                                .map(one -> one.contender()
                                                        .gang
                                                        .id()
                                                        .toString())
                                                .collect(Collectors.joining(", ")));
    }

    /** The error of a bounded combination in the unit that users know. */
    private String bounded(long error, int gangs) {
        String figure = switch (policy.objective()) {
            case USER -> "average loss of utility lies at most " + Allowance.percent(BigInteger.valueOf(error), gangs);
            case MIN_COST, MAX_INCOME ->
                "cost lies at most " + new Cost(error).roundedUp().brief();
            case MAX_VALUE ->
                "cost and delay lie at most " + new Cost(error).roundedUp().brief();
            case MIN_PROCESSOR_TIME, MAX_PROCESSOR_TIME -> "processor time lies at most " + error + " s";
        };
        return "the combination of the batch was bounded: its %s from the best one".formatted(figure);
    }
}
