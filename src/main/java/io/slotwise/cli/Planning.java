package io.slotwise.cli;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Advisor;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planner;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.Takeovers;
import io.slotwise.core.work.Bug;
import io.slotwise.core.work.StopSignal;
import io.slotwise.kubernetes.manifest.Candidates;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import io.slotwise.kubernetes.manifest.Taken;
import io.slotwise.live.Processors;
import io.slotwise.live.Settings;
import io.slotwise.random.SeededDraws;
import io.slotwise.report.GanttChart;
import io.slotwise.report.PlanReport;
import io.slotwise.report.TableReport;
import io.slotwise.report.Terminal;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * One plan of objects from files.
 *
 * @param plan what came out, gangs in place of the advance reservations that they take over
 * @param planners what the planner alone made of it
 * @param taken what it was planned from
 * @param settings under which
 */
record Planning(Plan plan, Plan planners, Taken taken, Settings settings) {
    /** Plans what was taken in; gangs that name advance reservations are seated in these once they have windows. */
    static Planning of(Taken taken, Settings settings, StopSignal stop) {
        Policy policy = settings.policy();
        Snapshot left = seated(taken.snapshot(), taken, policy).left();
        Plan plan = new Planner(policy, Processors.ALL, SeededDraws.L64X128).plan(left, stop);
        Takeovers takeovers = seated(taken.snapshot().published(plan), taken, policy);
        return new Planning(takeovers.carriedOut(plan), plan, taken, settings);
    }

    private static Takeovers seated(Snapshot snapshot, Taken taken, Policy policy) {
        PromisedPrices prices = new PromisedPrices(snapshot, policy);
        return Takeovers.of(snapshot, taken.claims(), prices::of, policy.charge() == Policy.Charge.WHOLE_NODE);
    }

    /** Plans the objects at second {@code now}. */
    static Planning of(ClusterObjects objects, Settings settings, PriceCatalogue prices, long now) {
        Taken taken = new Intake(settings, prices, Candidates.FILES).take(objects, Map.of(), now);
        return of(taken, settings, StopSignal.NEVER);
    }

    /** What would make a gang start, or start earlier; nothing for one that cannot be planned at all. */
    List<Advice> advice(GangId gang) {
        return taken.claims().named().containsKey(gang)
                        || taken.snapshot().requests().stream()
                                .noneMatch(request -> request.gang().id().equals(gang))
                ? List.of()
                : new Advisor(settings.policy(), SeededDraws.L64X128)
                        .advise(taken.snapshot().published(planners), gang);
    }

    /** The figures to show. */
    PlanReport report() {
        return PlanReport.of(plan, taken.snapshot(), settings.policy(), settings.currency());
    }

    /** The table with the picture below it. */
    String table(Terminal terminal) {
        PlanReport report = report();
        String picture = new GanttChart(terminal).draw(report, taken.snapshot().after(plan.moves()));
        return new TableReport(terminal).write(report) + (picture.isEmpty() ? "" : "\n" + picture);
    }

    /** Prints what an admin should know of the input, and the causes of errors of Slotwise's own: here the reader has no log. */
    void warn(PrintWriter err) {
        warn(taken, err);
        plan.pending().forEach(pending -> {
            if (pending.refusal() instanceof Refusal.Failed failed) {
                explain(failed.bug(), err);
            }
        });
    }

    private static void explain(Bug bug, PrintWriter err) {
        err.println("Warning: %s is %s".formatted(bug, bug.words()));
    }

    /** Prints what an admin should know of objects, and what workloads among them stand for. */
    static void warn(Taken taken, PrintWriter err) {
        taken.warnings().forEach(warning -> {
            err.println((warning.isOfConcern() ? "Warning: " : "Note: ") + warning.message());
            if (warning.bug() != null) {
                explain(warning.bug(), err);
            }
        });
    }
}
