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

/** The paper's schedulers as policies of the planner. */
final class CyclicScheme {
    /** The number of sub-batches for fair sharing where the paper gives none. */
    static final int SUB_BATCHES = 5;

    /** The planner's default for a job. */
    static final int MOST_ALTERNATIVES = 50;

    private CyclicScheme() {}

    /** The number k of sub-batches for fair sharing, and the most alternatives of a job. */
    record Extent(int subBatches, int alternatives) {
        static final Extent FIRST = new Extent(SUB_BATCHES, MOST_ALTERNATIVES);

        /** About the number of alternatives in the paper's table 1: its 12.8 on average, of at most 14. */
        static final Extent SECOND = new Extent(10, 14);

        Policy cyclic(Searching searching) {
            Policy policy = CyclicScheme.cyclic(searching, subBatches);
            return policy.withBatch(policy.batch().withAlternatives(alternatives));
        }
    }

    /** The cyclic scheme: one alternative of each job, with the least processor time within the mean level of cost. */
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

    /** The same, with the chosen windows shifted to their earliest start. */
    static Policy shifted(Policy cyclicPolicy) {
        return cyclicPolicy.withBatch(cyclicPolicy.batch().withShift(true));
    }

    /** The combined method: the cyclic scheme for a share of the first jobs, and backfilling for the others. */
    static Policy combined(Policy cyclicPolicy, int first, int of) {
        Split split = cyclicPolicy.batch().split();
        Split partSplit = new Split(split.subBatches(), Math.floorDiv(first * Split.ALL, of), Split.Choice.ORDER);
        return cyclicPolicy.withBatch(cyclicPolicy.batch().withSplit(partSplit)).withBackfill(Backfill.CONSERVATIVE);
    }

    static Policy backfilling() {
        return combined(cyclic(Searching.EXACT, 1), 0, 1);
    }
}
