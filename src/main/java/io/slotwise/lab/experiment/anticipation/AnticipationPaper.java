package io.slotwise.lab.experiment.anticipation;

import io.slotwise.core.anticipation.Anticipation;
import io.slotwise.core.anticipation.Distance;
import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.anticipation.Follower;
import io.slotwise.core.anticipation.Reference;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Anticipating;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.JobModel;
import io.slotwise.lab.workload.paper.LocalLoad;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The environments and schedulers of the paper on anticipation.
 *
 * <p>Source: V. Toporkov, D. Yemelyanov, A. Toporkova, "Anticipation Scheduling in Grid with Stakeholders Preferences"
 * (2017), section 4.
 */
final class AnticipationPaper {
    static final int JOBS = 75;

    private static final EnvironmentModel NODES =
            new EnvironmentModel(2, 10, AnticipationPaper::price, 0.2, new LocalLoad(5, 10, 10, 100));

    /** The mean base price of a unit of work over all performances. */
    private static final double MARKET = 1.15;

    private static final JobModel BATCH = new JobModel(2, 6, 100, 500, MARKET, 0.8, 1.6);

    /** A number of alternatives that no interval has. */
    private static final int ALL_ALTERNATIVES = 10_000;

    private static final int MILLIONTHS_OF_PERCENT = 10_000;

    /** The distance of section 4.1. */
    static Distance distance(Form form) {
        return new Distance(form, Set.of(Criterion.COST, Criterion.PROCESSOR_TIME));
    }

    private AnticipationPaper() {}

    record Situation(PaperEnvironment environment, List<Gang> batch) {
        static Situation of(int nodes, long interval, List<Criterion> criteria, long seed) {
            return new Situation(
                    PaperEnvironment.of(NODES, nodes, interval, Seeds.of(seed, 0)),
                    BATCH.batch(JOBS, criteria, Seeds.generator(Seeds.of(seed, 1))));
        }

        Plan plan(Policy policy) {
            List<Request> requests =
                    batch.stream().map(gang -> new Request(gang, null)).toList();
            return new Planner(policy.withHorizon(environment.interval()))
                    .plan(new Snapshot(0, environment.cluster(), requests, List.of()));
        }

        /** Returns windows with about the cost and processor time of a plan, on the nodes as they were before it. */
        List<Window> replicate(Anticipation anticipation, Plan reference) {
            Map<GangId, Window> windows = new HashMap<>();
            for (Planned planned : reference.windows()) {
                windows.put(planned.gang().id(), planned.window());
            }
            Timeline timeline = new Timeline(environment.cluster(), 0, 0);
            List<Follower> queue = new ArrayList<>();
            for (Gang gang : batch) {
                Window window = windows.get(gang.id());
                if (window != null) {
                    Eligibility eligibility = new Eligibility(Eligibility.Kind.of(gang), timeline, true);
                    queue.add(new Follower(
                            gang,
                            new WindowSearch(gang, eligibility),
                            SlotTerms.of(gang, 0, environment.interval()),
                            Reference.to(window, gang, 0)));
                }
            }
            return anticipation.replicate(queue, timeline);
        }
    }

    /**
     * The cyclic scheme: maximizes the income C (in the paper C -> max), with at most this average loss of utility, in
     * percent.
     */
    static Policy cyclic(int limit) {
        Limit withinLimit = new Limit(Measure.AVERAGE_UTILITY, OptionalLong.of((long) limit * MILLIONTHS_OF_PERCENT));
        return Policy.EXACT
                .withBatch(Policy.EXACT
                        .batch()
                        .serving(Objective.MAX_INCOME, withinLimit)
                        .withAlternatives(ALL_ALTERNATIVES)
                        .withShift(false))
                .withBackfill(Backfill.NONE);
    }

    /**
     * Anticipation of the same problem, with the geometric distance D_g of {@link Distance} from cost, processor time,
     * and the start that backfilling would give.
     */
    static Policy anticipation(int limit) {
        Policy cyclicPolicy = cyclic(limit);
        return cyclicPolicy.withBatch(cyclicPolicy
                .batch()
                .withAnticipating(new Anticipating(
                        Form.GEOMETRIC, Set.of(Criterion.COST, Criterion.PROCESSOR_TIME, Criterion.START))));
    }

    /** Conservative backfilling alone. */
    static Policy backfilling() {
        return Policy.EXACT
                .withBatch(Policy.EXACT.batch().withShift(false).withSplit(new Split(1, 0, Split.Choice.ORDER)))
                .withBackfill(Backfill.CONSERVATIVE);
    }

    /** Makes the cost of a unit of work similar for every performance: 0.98 to 1.49. */
    private static double price(int performance) {
        return 1.6 * StrictMath.pow(1.25, performance);
    }
}
