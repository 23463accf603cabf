package io.slotwise.lab.experiment.cyclic;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.JobModel;
import io.slotwise.lab.workload.paper.LocalLoad;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.ArrayList;
import java.util.List;

/**
 * The common environment and batch of the paper on the cyclic scheme.
 *
 * <p>Source: V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev, "Methods and Heuristics of Scheduling in
 * Distributed Computing with Non-dedicated Resources" (2014), sections 2 and 3.
 */
final class CyclicPaper {
    static final int NODES = 24;
    static final int JOBS = 20;
    static final long INTERVAL = 600;
    static final List<Criterion> CRITERIA =
            List.of(Criterion.START, Criterion.RUNTIME, Criterion.FINISH, Criterion.COST);

    static final String CYCLIC = "CSS";
    static final String CYCLIC_SHIFTED = "CSS shifted";
    static final String FAIR = "fair sharing";
    static final String COMBINED = "combined";
    static final String BACKFILLING = "backfilling";

    static final EnvironmentModel MODEL =
            new EnvironmentModel(2, 10, performance -> performance, 0.25, new LocalLoad(5, 10, 10, 100));
    static final JobModel MODEL_JOBS = new JobModel(2, 6, 100, 500, 1, 0.8, 1.6);

    private CyclicPaper() {}

    record Situation(PaperEnvironment environment, List<Gang> users) {
        static Situation of(int nodes, long seed) {
            return new Situation(
                    PaperEnvironment.of(MODEL, nodes, INTERVAL, Seeds.of(seed, 0)),
                    MODEL_JOBS.batch(JOBS, CRITERIA, Seeds.generator(Seeds.of(seed, 1))));
        }

        /** Returns the batch for schemes that ignore users' criteria: they take the first, earliest window. */
        List<Gang> indifferent() {
            return indifferentFrom(0);
        }

        List<Gang> indifferentFrom(int first) {
            List<Gang> batch = new ArrayList<>();
            for (int i = 0; i < users.size(); i++) {
                batch.add(i < first ? users.get(i) : users.get(i).wanting(Criterion.START));
            }
            return batch;
        }

        Plan plan(Policy policy, List<Gang> batch) {
            return CyclicPaper.plan(policy, environment.cluster(), batch, 0);
        }
    }

    static Plan plan(Policy policy, Cluster cluster, List<Gang> batch, long now) {
        List<Request> requests =
                batch.stream().map(gang -> new Request(gang, null)).toList();
        return new Planner(policy.withHorizon(INTERVAL - now), Workers.CALLER, Seeds::generator)
                .plan(new Snapshot(now, cluster, requests, List.of()));
    }
}
