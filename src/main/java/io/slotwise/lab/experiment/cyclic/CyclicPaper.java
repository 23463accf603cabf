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
import io.slotwise.lab.experiment.PaperSource;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.EnvironmentModel.MarketPrice;
import io.slotwise.lab.workload.paper.JobModel;
import io.slotwise.lab.workload.paper.LocalLoad;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the experiments of the paper on the cyclic scheme share: its environment, its batch and its readings. */
final class CyclicPaper {
    static final PaperSource SOURCE = new PaperSource(
            "V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev",
            "Methods and Heuristics of Scheduling in Distributed Computing with Non-dedicated Resources",
            2014,
            "sections 2 and 3");

    static final int NODES = 24;
    static final int JOBS = 20;
    static final long INTERVAL = 600;
    static final int RUNS = 5000;

    /** The criteria of the users of section 2.2. */
    static final List<Criterion> CRITERIA =
            List.of(Criterion.START, Criterion.RUNTIME, Criterion.FINISH, Criterion.COST);

    static final String CYCLIC = "CSS";
    static final String CYCLIC_SHIFTED = "CSS shifted";
    static final String FAIR = "fair sharing";
    static final String COMBINED = "combined";
    static final String BACKFILLING = "backfilling";

    static final EnvironmentModel MODEL =
            new EnvironmentModel(2, 10, MarketPrice.proportional(1), 0.25, new LocalLoad(5, 10, 10, 100));
    static final JobModel MODEL_JOBS = new JobModel(2, 6, 100, 500, 1, 0.8, 1.6);

    private static final List<String> READINGS = List.of(
            "Cycles are independent of each other, as the paper's are, and an interval is 600 time "
                    + "units of 24 nodes with 20 jobs.",
            "The sizes of jobs, which the paper does not give, are those that its authors give in "
                    + "2017 (Anticipation Scheduling in Grid"
                    + " with Stakeholders Preferences, section 4): 2 to 6 nodes, 100 to 500 units of work "
                    + "each, so that a node of"
                    + " performance p takes 100 / p to 500 / p; so is the owners' load, 5 to 10 % of the interval.",
            "A node costs its performance per time unit, with a normal deviation of 25 %; budgets "
                    + "are uniform between 80 % and 160 %"
                    + " of the job's cost at the market's price: the richest pay a markup of 60 %, the poorest "
                    + "need discounts. With"
                    + " these the share of failed cycles on 24 nodes is the 0.03 that the paper calls a medium load.",
            "The cyclic schemes minimise the processor time of the batch (equation 11) under a "
                    + "budget of the batch that is the average"
                    + " level of the alternatives' costs (equations 2 and 4, for costs).",
            "First fit, as the cyclic scheme (CSS) searches, is AMP; fair sharing searches by AEP "
                    + "for one of the criteria start," + " runtime, finish and cost that every user draws.",
            "Alternatives are searched in rounds, one more of each job in the order of the queue.",
            "A cycle in which some job gets no window has failed and counts in no mean.");

    private CyclicPaper() {}

    static List<String> readings(String... own) {
        return Stream.concat(READINGS.stream(), Stream.of(own)).toList();
    }

    /**
     * An environment with a batch.
     *
     * @param environment nodes and local tasks
     * @param users the batch with the users' criteria
     */
    record Scene(PaperEnvironment environment, List<Gang> users) {
        static Scene of(int nodes, long seed) {
            return new Scene(
                    PaperEnvironment.of(MODEL, nodes, INTERVAL, Seeds.of(seed, 0)),
                    MODEL_JOBS.batch(JOBS, CRITERIA, Seeds.generator(Seeds.of(seed, 1))));
        }

        /** The batch as schemes see it that know no users' criteria: the first window found is taken, the earliest. */
        List<Gang> indifferent() {
            return indifferentFrom(0);
        }

        /** The users' criteria for the first jobs only. */
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

    /** What the planner makes of a batch, all windows within the interval. */
    static Plan plan(Policy policy, Cluster cluster, List<Gang> batch, long now) {
        List<Request> requests =
                batch.stream().map(gang -> new Request(gang, null)).toList();
        return new Planner(policy.withHorizon(INTERVAL - now), Workers.CALLER, Seeds::generator)
                .plan(new Snapshot(now, cluster, requests, List.of()));
    }
}
