package io.slotwise.core.plan;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Ledger;
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
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The admin's policy, as far as the planner needs it. All durations in seconds.
 *
 * @param horizon how far ahead windows are planned, positive
 * @param batch how the windows of a batch are searched and chosen
 * @param backfill how gangs that the cyclic part left over are placed
 * @param queue the order of the batch
 * @param charge what a pod pays of a node
 * @param turnover kept free between a pod's planned end and the next planned start on that room
 * @param replan what a later cycle may do with a promise
 * @param replanGain the part of its wait that an earlier start must spare a promised gang at least, millionths; 0: any
 *     gain counts
 * @param improveLimit so many promised gangs at most look for better windows in a cycle
 * @param slack how much later than first expected a promised gang may start
 * @param expectedUse the part of their runtimes that gangs use on average, millionths, positive: what {@code max-value}
 *     weighs of a cost where promises move
 * @param leastSaving how many times what a wait is worth a gang must save by it to wait for cheaper nodes, millionths,
 *     where promises move under {@code max-value}; 0: windows move if all gangs together gain by their whole runtimes
 * @param online how gangs are placed that do not wait for the batch
 * @param migration which gangs may be moved while they run
 * @param preemption whom a gang of higher priority may displace
 * @param provisioning whether nodes are bought, and how many
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
    /** The largest least saving: a thousand times what the wait is worth, millionths. */
    public static final int MOST_SAVING = 1_000_000_000;

    /** What a policy means that says nothing. */
    public static final Policy DEFAULT = new Policy(
            168 * 3600L,
            new Batch(Objective.USER, Limit.NONE, 50, 0, Searching.EXACT, Split.NONE, true, Anticipating.NOT),
            Backfill.CONSERVATIVE,
            new Queue(Order.FIFO, 3600, 100, new HalfLife(168 * 3600L)),
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
     * The cyclic scheduling scheme: alternatives of every gang, one of them chosen so that the batch serves the
     * objective.
     *
     * @param objective what the choice of one alternative per gang serves
     * @param limit on the batch
     * @param alternatives the most alternatives per gang, positive
     * @param searchLimit slots visited in a cycle before the search for more alternatives ends; 0: no limit
     * @param searching how alternatives are searched for
     * @param split which gangs are planned together
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

    /** How alternatives are searched for. */
    public enum Searching implements Keyed {
        /** The best window by the gang's criterion, exactly. */
        EXACT,
        /** The algorithm that the paper on AEP gives for the criterion, mostly a heuristic. */
        AEP,
        /** CSA: of the disjoint windows that AMP finds the best by the criterion. */
        CSA
    }

    /**
     * Which gangs of a batch are planned together.
     *
     * @param subBatches k: the cyclic part is cut into so many sub-batches, each planned beside those before it
     * @param cyclicMillionths the part of the gangs that is planned cyclically, in millionths; the rest is backfilled
     */
    public record Split(int subBatches, int cyclicMillionths, Choice choice) {
        /** The whole of the gangs, in the unit of {@code cyclicMillionths}. */
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

        /** Which gangs are planned cyclically. */
        public enum Choice {
            /** The first in the queue. */
            ORDER,
            /** Those that cost most. */
            COST,
            /** Those that need the most processor time. */
            PROCESSOR_TIME
        }
    }

    /** Anticipation, by what the distance between a window and its reference looks at; a null form: none. */
    public record Anticipating(@Nullable Form form, Set<Criterion> criteria) {
        public static final Anticipating NOT =
                new Anticipating(null, Set.of(Criterion.COST, Criterion.PROCESSOR_TIME, Criterion.START));

        public Anticipating {
            criteria = Set.copyOf(criteria);
        }
    }

    /** How gangs are placed that do not wait for the batch, in domains by a node label. */
    public record Online(Manner manner, CriterionWeights weights, String domainKey) {
        /** All gangs wait for the batch. */
        public static final Online DEFAULT =
                new Online(Manner.BATCH, CriterionWeights.DEFAULT, "topology.kubernetes.io/zone");
    }

    /** How gangs that the cyclic part left over are placed. */
    public enum Backfill {
        /** Each gets the earliest window beside all windows given before. */
        CONSERVATIVE,
        /** The first that cannot start now holds a reservation; others start now if that does not delay it. */
        EASY,
        NONE
    }

    /**
     * The order in which the gangs of a batch are served.
     *
     * @param aging a gang gains one place for each of these that it waits, positive
     * @param passingLimit a gang without a promise that so many later arrivals of no higher priority have passed is
     *     served first; 0: none is
     * @param halfLife of past use, where the order goes by it
     */
    public record Queue(Order order, long aging, int passingLimit, HalfLife halfLife) {
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
            return order == Order.FAIR;
        }

        /** What weighs of the past use of these namespaces; nothing where the order does not go by it. O(days kept). */
        public Map<String, Cost> used(Collection<Ledger> ledgers, long now, UseUnit unit) {
            return goesByUse()
                    ? ledgers.stream()
                            .collect(Collectors.toMap(Ledger::namespace, ledger -> ledger.used(halfLife, now, unit)))
                    : Map.of();
        }

        public Queue by(Order other) {
            return new Queue(other, aging, passingLimit, halfLife);
        }

        public Queue passedBy(int gangs) {
            return new Queue(order, aging, gangs, halfLife);
        }
    }

    public enum Order {
        FIFO,
        /** The larger priority first, then the arrival. */
        PRIORITY,
        /** Adapted first come first served: gangs that fit beside those before them pass those that must wait. */
        AFCFS,
        /** Largest gang first served: the gang with more pods first, then the arrival. */
        LGFS,
        /**
         * The namespace first that has used least, in money that weighs half after each half-life, or in processor time
         * where nothing costs money; within it as {@link #PRIORITY}.
         */
        FAIR,
        /** Smith's rule: the gang first whose time is worth most for the processor time it needs, then the arrival. */
        VALUE
    }

    /** What a pod pays of a node. */
    public enum Charge {
        DOMINANT_SHARE,
        WHOLE_NODE
    }

    /** What a later cycle may do with a promise. */
    public enum Replan {
        IMPROVE,
        NEVER,
        FREE
    }

    /** Whom a gang of higher priority may displace. */
    public enum Preempting implements Keyed {
        NONE,
        /** Gangs that have not started. */
        PROMISED,
        /** Those, and gangs that run. */
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
     * Whether gangs of this kind are ever stopped while they run: moved, or displaced.
     *
     * @param highest the highest priority of the gangs that wait and displace others
     */
    public boolean stops(boolean keepsWork, int priority, int highest) {
        return (keepsWork && migration.reach() != Reach.NONE)
                || (preemption == Preempting.RUNNING && priority < highest);
    }

    /** What pods pay and draw on these nodes. */
    public PodTariffs tariffs(Inventory inventory) {
        return new PodTariffs(inventory, charge == Charge.WHOLE_NODE);
    }

    /** This policy with another rule for promised windows; only where they are improved they have slack. */
    @Override
    public Policy withReplan(Replan other) {
        return with(copy -> copy.replan(other).slack(other == Replan.IMPROVE ? slack : PromiseSlack.NONE));
    }
}
