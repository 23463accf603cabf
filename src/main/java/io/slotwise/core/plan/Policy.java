package io.slotwise.core.plan;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.QueueLedgers;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.money.Cost;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.text.Keyed;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The admin's policy, as far as the planner needs it. All durations in seconds.
 *
 * @param horizon how far ahead windows are planned, positive
 * @param turnover kept free between a pod's planned end and the next planned start on that room
 * @param replanGain the least part of its wait that an earlier start must save a promised gang, millionths, or 0 for
 *     any gain
 * @param improveLimit the most promised gangs that look for better windows in a cycle
 * @param expectedUse the part of their runtimes that gangs use on average, millionths, positive; {@code max-value}
 *     counts this part of a cost where promises move
 * @param leastSaving how many times the value of a wait a gang must save to wait for cheaper nodes, millionths, where
 *     promises move under {@code max-value}. With 0 windows move if all gangs together gain by their whole runtimes.
 */
@RecordBuilder
public record Policy(
        long horizon,
        Batch batch,
        Backfill backfill,
        Queue queue,
        Charge charge,
        long turnover,
        Replan replan,
        int replanGain,
        int improveLimit,
        PromiseSlack slack,
        int expectedUse,
        int leastSaving,
        Online online,
        MigrationPolicy migration,
        Preempting preemption,
        Provisioning provisioning)
        implements PolicyBuilder.With {
    /** The largest least saving: a thousand times the value of the wait, millionths. */
    public static final int MOST_SAVING = 1_000_000_000;

    /** The policy in which everything has its default. */
    public static final Policy DEFAULT = new Policy(
            168 * 3600L,
            new Batch(Objective.USER, Limit.NONE, 50, 0, Searching.EXACT, Split.NONE, true, Anticipating.NOT),
            Backfill.CONSERVATIVE,
            new Queue(Order.FIFO, 3600, 100, new HalfLife(168 * 3600L), FairBy.SHARE),
            Charge.DOMINANT_SHARE,
            5,
            Replan.IMPROVE,
            200_000,
            2000,
            PromiseSlack.DEFAULT,
            Split.ALL,
            0,
            Online.DEFAULT,
            MigrationPolicy.NONE,
            Preempting.RUNNING,
            Provisioning.NONE);

    /** The default with the papers' exact promises: pods end and start in their second, and every gain counts. */
    public static final Policy EXACT = DEFAULT.withTurnover(0).withReplanGain(0).withSlack(PromiseSlack.NONE);

    /**
     * The cyclic scheduling scheme: alternatives of every gang, with one of them chosen so that the batch serves the
     * objective.
     *
     * @param alternatives the most alternatives per gang, positive
     * @param searchLimit slots visited in a cycle before the search for more alternatives ends, or 0 for no limit
     * @param shift whether chosen windows move to the earliest start on their nodes
     * @param anticipating whether windows are chosen first as if every gang were alone, and then replicated
     */
    @RecordBuilder
    public record Batch(
            Objective objective,
            Limit limit,
            int alternatives,
            long searchLimit,
            Searching searching,
            Split split,
            boolean shift,
            Anticipating anticipating)
            implements PolicyBatchBuilder.With {
        public Batch {
            if (alternatives <= 0) {
                throw new IllegalArgumentException(
                        "The number of alternatives (%d) must be positive.".formatted(alternatives));
            }
        }

        public Batch serving(Objective other, Limit limit) {
            return with(copy -> copy.objective(other).limit(limit));
        }
    }

    /** The algorithm of the search for alternatives. */
    public enum Searching implements Keyed {
        /** The best window by the gang's criterion, exactly. */
        EXACT,
        /** The algorithm that the paper on AEP gives for the criterion, mostly a heuristic. */
        AEP,
        /** CSA: the best by the criterion among the disjoint windows that AMP finds. */
        CSA
    }

    /**
     * The gangs of a batch that are planned together.
     *
     * @param subBatches k: the cyclic part is cut into this many sub-batches, each planned next to those before it
     * @param cyclicMillionths the part of the gangs that is planned cyclically, in millionths; the rest is backfilled
     */
    public record Split(int subBatches, int cyclicMillionths, Choice choice) {
        /** All gangs, in the unit of {@code cyclicMillionths}. */
        public static final int ALL = 1_000_000;

        public static final Split NONE = new Split(1, ALL, Choice.ORDER);

        public Split {
            if (subBatches <= 0 || cyclicMillionths < 0 || cyclicMillionths > ALL) {
                throw new IllegalArgumentException(
                        ("The number of sub-batches (%d) must be positive, the cyclic part (%d millionths) "
                                        + "between 0 and %d.")
                                .formatted(subBatches, cyclicMillionths, ALL));
            }
        }

        /** The choice of gangs that are planned cyclically. */
        public enum Choice {
            /** The first in the queue. */
            ORDER,
            /** The most expensive. */
            COST,
            /** The gangs that need the most processor time. */
            PROCESSOR_TIME
        }
    }

    /** Anticipation, by the distance between a window and its reference. A null form means no anticipation. */
    public record Anticipating(@Nullable Form form, Set<Criterion> criteria) {
        public static final Anticipating NOT =
                new Anticipating(null, Set.of(Criterion.COST, Criterion.PROCESSOR_TIME, Criterion.START));

        public Anticipating {
            criteria = Set.copyOf(criteria);
        }
    }

    /** The placement of gangs that do not wait for the batch, in domains by a node label. */
    public record Online(Manner manner, CriterionWeights weights, String domainKey) {
        public static final Online DEFAULT =
                new Online(Manner.BATCH, CriterionWeights.DEFAULT, "topology.kubernetes.io/zone");
    }

    /** The placement of gangs that the cyclic part left over. */
    public enum Backfill {
        /** Each gets the earliest window next to all windows given before. */
        CONSERVATIVE,
        /** The first that cannot start now holds a reservation; others start now if that does not delay it. */
        EASY,
        NONE
    }

    /**
     * The order in which the gangs of a batch are served.
     *
     * @param aging the wait for which a gang gains one place, positive
     * @param passingLimit the number of passing later arrivals of no higher priority after which a gang without a
     *     promise is served first, or 0 for never
     * @param halfLife the half-life of past use, if the order depends on it
     * @param fairBy the share by which queues of the cluster compete
     */
    public record Queue(Order order, long aging, int passingLimit, HalfLife halfLife, FairBy fairBy) {
        public Queue {
            if (passingLimit < 0) {
                throw new IllegalArgumentException(
                        "The passing limit (%d) must not be negative.".formatted(passingLimit));
            }
            if (aging <= 0) {
                throw new IllegalArgumentException("The aging (%d s) must be positive.".formatted(aging));
            }
        }

        public boolean goesByUse() {
            return order == Order.FAIR || fairBy == FairBy.MONEY;
        }

        /**
         * Returns the weighted past use of namespaces and queues, by holder of accounts, without those whose use the
         * order ignores. O(days kept).
         */
        public Map<String, Cost> used(Collection<Ledger> ledgers, long now, UseUnit unit) {
            Map<String, Cost> used = new HashMap<>();
            for (Ledger ledger : ledgers) {
                if (order == Order.FAIR) {
                    used.put(ledger.namespace(), ledger.used(halfLife, now, unit));
                }
                if (fairBy == FairBy.MONEY) {
                    QueueLedgers.used(ledger, halfLife, now, unit)
                            .forEach((queue, cost) -> used.merge(Account.ofQueue(queue), cost, Cost::plus));
                }
            }
            return used;
        }

        public Queue by(Order other) {
            return new Queue(other, aging, passingLimit, halfLife, fairBy);
        }

        public Queue passedBy(int gangs) {
            return new Queue(order, aging, gangs, halfLife, fairBy);
        }
    }

    public enum Order {
        FIFO,
        /** The larger priority first, then the arrival. */
        PRIORITY,
        /** Adapted first come first served: gangs that fit next to earlier ones pass gangs that must wait. */
        AFCFS,
        /** Largest gang first served: the gang with more pods first, then the arrival. */
        LGFS,
        /**
         * The namespace first that has used least, in money that weighs half after each half-life, or in processor time
         * if nothing costs money. Within a namespace as {@link #PRIORITY}.
         */
        FAIR,
        /** Smith's rule: the gang first whose time is worth most for the processor time it needs, then the arrival. */
        VALUE
    }

    /** The share of a queue of the cluster, relative to its entitlement. */
    public enum FairBy implements Keyed {
        /** The resource of which it runs, is promised and gets the largest part, over time. */
        SHARE,
        /** The cost of its gangs, with past cost that weighs half after each half-life. */
        MONEY
    }

    /** The charge of a pod for its node. */
    public enum Charge {
        DOMINANT_SHARE,
        WHOLE_NODE
    }

    /** The rule for promises in later cycles. */
    public enum Replan {
        IMPROVE,
        NEVER,
        FREE
    }

    /** The gangs that a gang of higher priority may displace. */
    public enum Preempting implements Keyed {
        NONE,
        /** Gangs that have not started. */
        PROMISED,
        /** Also running gangs. */
        RUNNING
    }

    public Policy {
        if (improveLimit < 0) {
            throw new IllegalArgumentException("The improve limit (%d) must not be negative.".formatted(improveLimit));
        }
        if (replanGain < 0 || replanGain > Split.ALL) {
            throw new IllegalArgumentException(
                    "The least gain (%d) must be between 0 and %d millionths.".formatted(replanGain, Split.ALL));
        }
        if (expectedUse <= 0 || expectedUse > Split.ALL) {
            throw new IllegalArgumentException(
                    "The expected use (%d) must be between 1 and %d millionths.".formatted(expectedUse, Split.ALL));
        }
        if (leastSaving < 0 || leastSaving > MOST_SAVING) {
            throw new IllegalArgumentException(
                    "The least saving (%d) must be between 0 and %d millionths.".formatted(leastSaving, MOST_SAVING));
        }
        if (!slack.isNone() && replan != Replan.IMPROVE) {
            throw new IllegalArgumentException(
                    "The slack of promises (%s) must be 0 where promises are not improved.".formatted(slack));
        }
        if (horizon <= 0) {
            throw new IllegalArgumentException("The horizon (%d s) must be positive.".formatted(horizon));
        }
        if (turnover < 0) {
            throw new IllegalArgumentException("The turnover (%d s) must not be negative.".formatted(turnover));
        }
    }

    /**
     * Returns whether gangs of this kind are ever stopped while they run: moved, displaced, or reclaimed.
     *
     * @param highest the highest priority of the waiting gangs that displace others
     */
    public boolean stops(Demand demand, int priority, int highest) {
        return (demand.migratable() && migration.reach() != Reach.NONE)
                || (demand.preemptible() && demand.queue() != null)
                || (preemption == Preempting.RUNNING && priority < highest);
    }

    public PodTariffs tariffs(Inventory inventory) {
        return new PodTariffs(inventory, charge == Charge.WHOLE_NODE);
    }

    /** Returns this policy with another rule for promised windows. Promises have slack only if they are improved. */
    @Override
    public Policy withReplan(Replan other) {
        return with(copy -> copy.replan(other).slack(other == Replan.IMPROVE ? slack : PromiseSlack.NONE));
    }
}
