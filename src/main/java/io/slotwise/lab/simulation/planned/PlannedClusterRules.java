package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.queue.Queue;
import java.util.List;
import java.util.Map;

/**
 * The planning rules of a simulated cluster; durations in seconds.
 *
 * @param cycle from a cycle that improved a promise to the next, because one improvement can make room for another;
 *     positive
 * @param collect how long events are collected between cycles; after a longer rest there is a cycle at once
 * @param overrunGrace how long a pod past its expected end keeps its room
 * @param queues in order of their creation; empty if no queue bounds any job
 * @param budgets of queues that have one, by name
 * @param topology what the distance of a gang's pods costs; {@link Topology#ANYWHERE} if each gang's own topology says
 */
public record PlannedClusterRules(
        Policy policy,
        long cycle,
        long collect,
        OverrunGrace overrunGrace,
        List<Queue> queues,
        Map<String, Allotment> budgets,
        Topology topology) {
    public PlannedClusterRules(Policy policy, long cycle, long collect, OverrunGrace overrunGrace) {
        this(policy, cycle, collect, overrunGrace, List.of(), Map.of(), Topology.ANYWHERE);
    }

    public PlannedClusterRules(Policy policy, long cycle, long collect, long overrunGrace) {
        this(policy, cycle, collect, new OverrunGrace(overrunGrace));
    }

    public PlannedClusterRules {
        queues = List.copyOf(queues);
        budgets = Map.copyOf(budgets);
        if (cycle <= 0 || collect < 0) {
            throw new IllegalArgumentException(
                    "The cycle (%d s) must be positive, the collecting time (%d s) not negative."
                            .formatted(cycle, collect));
        }
    }

    public PlannedClusterRules in(List<Queue> others, Map<String, Allotment> theirBudgets) {
        return new PlannedClusterRules(policy, cycle, collect, overrunGrace, others, theirBudgets, topology);
    }

    public PlannedClusterRules apart(Topology other) {
        return new PlannedClusterRules(policy, cycle, collect, overrunGrace, queues, budgets, other);
    }
}
