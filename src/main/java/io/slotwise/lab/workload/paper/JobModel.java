package io.slotwise.lab.workload.paper;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The distribution of a paper's jobs. Pods and work are uniform whole numbers, and criteria are equally likely. The
 * budget is a factor, uniform in a range, of the job's cost on the market.
 *
 * @param mostPods the most pods of a job, each on a node of its own
 * @param leastWork the least work of a pod, time units at performance 1
 * @param marketPrice the market price of one unit of work, units of money
 * @param poorest the least budget, as a part of the market's cost
 */
public record JobModel(
        int leastPods,
        int mostPods,
        long leastWork,
        long mostWork,
        double marketPrice,
        double poorest,
        double richest) {
    public JobModel {
        if (leastPods <= 0 || mostPods < leastPods || leastWork <= 0 || mostWork < leastWork) {
            throw new IllegalArgumentException(
                    "The pods (%d to %d) and their work (%d to %d) must be ranges of positive numbers."
                            .formatted(leastPods, mostPods, leastWork, mostWork));
        }
        if (!(0 < poorest && poorest <= richest)) {
            throw new IllegalArgumentException(
                    "The budgets (%s to %s of the market's cost) must be a range of positive numbers."
                            .formatted(poorest, richest));
        }
    }

    /** Returns a batch in the order of its queue. O(jobs and their pods). */
    public List<Gang> batch(int jobs, List<Criterion> criteria, RandomGenerator random) {
        List<Gang> batch = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            int pods = random.nextInt(leastPods, mostPods + 1);
            long work = random.nextLong(leastWork, mostWork + 1);
            double budget = pods * work * marketPrice * random.nextDouble(poorest, Math.nextUp(richest));
            Criterion criterion = criteria.get(random.nextInt(criteria.size()));
            batch.add(job("job-%03d".formatted(i), pods, work, budget, criterion));
        }
        return batch;
    }

    /** Returns a job of pods that take a whole node each. */
    static Gang job(String name, int pods, long work, double budget, Criterion criterion) {
        return new Gang(
                new GangId("user", name),
                IntStream.range(0, pods).mapToObj(i -> name + "-" + i).toList(),
                new PodRequest(PaperUnits.NODE, NodeConstraint.NONE, work, false),
                Demand.NONE
                        .withBudget(new Budget(PaperUnits.money(budget), null))
                        .withCriterion(criterion)
                        .withMaxPerNode(1),
                0,
                0);
    }
}
