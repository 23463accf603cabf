package io.slotwise.lab.experiment.cyclic;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Batch;
import io.slotwise.core.plan.Policy.Charge;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.plan.Policy.Split;
import java.util.OptionalLong;

/** The paper's ways of scheduling, as policies of the planner. */
final class CyclicScheme {
    /** Into how many sub-batches the model of fair sharing cuts a batch, where the paper does not say. */
    static final int SUB_BATCHES = 5;

    /** Of a job; the planner's default. */
    static final int MOST_ALTERNATIVES = 50;

    private CyclicScheme() {}

    /** How a batch is cut, k of the model of fair sharing, and how many alternatives a job has at most. */
    record Extent(int subBatches, int alternatives) {
        static final Extent FIRST = new Extent(SUB_BATCHES, MOST_ALTERNATIVES);

        /** As many alternatives as the paper's table 1 has, about: its 12.8 on average of at most 14. */
        static final Extent SECOND = new Extent(10, 14);

        Policy cyclic(Searching searching) {
            Policy policy = CyclicScheme.cyclic(searching, subBatches);
            return policy.withBatch(policy.batch().withAlternatives(alternatives));
        }
    }

    /** The cyclic scheme: of each job an alternative, so that processor time is least within the mean level of cost. */
    static Policy cyclic(Searching searching, int subBatches) {
        Batch batch = Policy.EXACT
                .batch()
                .serving(Objective.MIN_PROCESSOR_TIME, new Limit(Measure.COST, OptionalLong.empty()))
                .withAlternatives(MOST_ALTERNATIVES)
                .withSearching(searching)
                .withShift(false)
                .withSplit(new Split(subBatches, Split.ALL, Split.Choice.ORDER));
        return Policy.EXACT.withBatch(batch).withBackfill(Backfill.NONE).withCharge(Charge.WHOLE_NODE);
    }

    /** The same, the chosen windows shifted to their earliest start. */
    static Policy shifted(Policy cyclicPolicy) {
        return cyclicPolicy.withBatch(cyclicPolicy.batch().withShift(true));
    }

    /** The combined method: the first jobs, so many of so many, by the cyclic scheme, the others backfilled. */
    static Policy combined(Policy cyclicPolicy, int first, int of) {
        Split split = cyclicPolicy.batch().split();
        Split partSplit = new Split(split.subBatches(), Math.floorDiv(first * Split.ALL, of), Split.Choice.ORDER);
        return cyclicPolicy.withBatch(cyclicPolicy.batch().withSplit(partSplit)).withBackfill(Backfill.CONSERVATIVE);
    }

    static Policy backfilling() {
        return combined(cyclic(Searching.EXACT, 1), 0, 1);
    }
}
