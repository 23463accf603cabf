package io.slotwise.core.planner.batch;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Item;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.ChoiceExplanation.Decider;
import io.slotwise.core.plan.Policy;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Explains why each gang of a combined batch has its alternative: the favourite is put in its place and judged. */
final class ChoiceExplainer {
    private final Policy.Batch batchPolicy;
    private final BatchLimit batchLimit;
    private final List<BatchCandidate> batch;
    private final List<Integer> chosen;
    private final long limit;
    private final Map<Account, Cost> charged = new HashMap<>();

    ChoiceExplainer(
            Policy.Batch batchPolicy,
            BatchLimit batchLimit,
            List<BatchCandidate> batch,
            List<Integer> chosen,
            long limit) {
        this.batchPolicy = batchPolicy;
        this.batchLimit = batchLimit;
        this.batch = batch;
        this.chosen = chosen;
        this.limit = limit;
        for (int i = 0; i < batch.size(); i++) {
            Item item = batch.get(i).items().get(chosen.get(i));
            if (item.account() != null) {
                charged.merge(item.account(), new Cost(item.charge()), Cost::plus);
            }
        }
    }

    void tell(List<ChoiceExplanation> deliberations) {
        for (int i = 0; i < batch.size(); i++) {
            deliberations.add(deliberation(batch.get(i), chosen.get(i)));
        }
    }

    private ChoiceExplanation deliberation(BatchCandidate candidate, int taken) {
        int favourite = candidate.favourite();
        Item bestItem = candidate.items().get(favourite);
        Item item = candidate.items().get(taken);
        if (candidate.losses().get(taken).equals(candidate.losses().get(favourite))) {
            return told(candidate, taken, Decider.CRITERION, "it is the gang's best alternative");
        }
        if (bestItem.value() >= item.value()) {
            return told(
                    candidate,
                    taken,
                    Decider.OBJECTIVE,
                    "the policy's objective (%s) prefers it to the gang's best alternative"
                            .formatted(batchPolicy.objective().key()));
        }
        Account account = bestItem.account();
        if (account != null && passes(account, bestItem, item)) {
            return told(
                    candidate,
                    taken,
                    Decider.NAMESPACE_BUDGET,
                    ("%s has %s left for gangs that start before %s, too little for the gang's best "
                                    + "alternative in addition to the others")
                            .formatted(
                                    Account.words(account.holder()),
                                    account.left().roundedDown().brief(),
                                    Instant.ofEpochSecond(account.end())));
        }
        return told(
                candidate,
                taken,
                Decider.LIMIT,
                ("with the gang's best alternative the batch would exceed the policy's limit on the %s "
                                + "(%s), or others would lose more")
                        .formatted(batchLimit.name(), batchLimit.words(BigInteger.valueOf(limit), batch.size())));
    }

    /** Returns whether the account could not pay for the favourite. Without a limit nothing else can prevent it. */
    private boolean passes(Account account, Item bestItem, Item item) {
        Cost ownCost = new Cost(account.equals(item.account()) ? item.charge() : 0);
        Cost cost = charged.getOrDefault(account, Cost.ZERO).minus(ownCost);
        return !batchLimit.isLimited()
                || new Cost(bestItem.charge()).compareTo(account.left().minus(cost)) > 0;
    }

    private static ChoiceExplanation told(BatchCandidate candidate, int taken, Decider decider, String reason) {
        return new ChoiceExplanation(
                candidate.id(), candidate.windows(), taken, candidate.losses().get(taken), decider, reason);
    }
}
