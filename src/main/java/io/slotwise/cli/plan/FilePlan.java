package io.slotwise.cli.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.planner.advice.Advisor;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.reservation.ReservationAssignments;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.StopSignal;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ReadCluster;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.random.SeededRandom;
import io.slotwise.report.GanttChart;
import io.slotwise.report.PlanReport;
import io.slotwise.report.PlanReport.InputNote;
import io.slotwise.report.TableReport;
import io.slotwise.report.Terminal;
import java.io.PrintWriter;
import java.util.List;

/** A plan of objects from files; {@code result} is its input. */
public record FilePlan(Plan plan, Plan plannersPlan, IntakeResult result, LoopSettings settings) {
    /** Plans the input. Gangs that name advance reservations get their part after the windows are planned. */
    static FilePlan of(IntakeResult result, LoopSettings settings, StopSignal stop) {
        Policy policy = advising(settings.policy());
        Snapshot left = assignments(result.snapshot(), result, policy).left();
        Plan plan = new Planner(policy, CommonPoolWorkers.ALL, SeededRandom.L64X128).plan(left, stop);
        ReservationAssignments assignments = assignments(result.snapshot().published(plan), result, policy);
        return new FilePlan(assignments.carriedOut(plan), plan, result, settings);
    }

    /** Nothing is bought for files: the policy only advises purchases. */
    private static Policy advising(Policy policy) {
        return policy.provisioning().mode() == Provisioning.Mode.BUY
                ? policy.withProvisioning(policy.provisioning().in(Provisioning.Mode.PLAN))
                : policy;
    }

    private static ReservationAssignments assignments(Snapshot snapshot, IntakeResult result, Policy policy) {
        PromisedPrices prices = new PromisedPrices(snapshot, policy);
        return ReservationAssignments.of(
                snapshot, result.names(), prices::of, policy.charge() == Policy.Charge.WHOLE_NODE);
    }

    public static FilePlan of(ClusterObjects objects, LoopSettings settings, PriceCatalogue prices, long now) {
        IntakeResult result =
                new ReadCluster(new Intake(settings, prices, PodFilter.FILES), objects).planned(settings, now);
        return of(result, settings, StopSignal.NEVER);
    }

    /** Returns changes that would let a gang start, or start earlier. Empty for a gang that cannot be planned. */
    List<Advice> advice(GangId gang) {
        return result.names().named().containsKey(gang)
                        || result.snapshot().requests().stream()
                                .noneMatch(request -> request.gang().id().equals(gang))
                ? List.of()
                : new Advisor(settings.policy(), SeededRandom.L64X128)
                        .advise(
                                result.snapshot().published(plannersPlan),
                                gang,
                                result.sources().get(gang));
    }

    PlanReport report() {
        return PlanReport.of(plan, result.snapshot(), settings.policy(), settings.currency())
                .noting(notes(result));
    }

    public static List<InputNote> notes(IntakeResult result) {
        return notes(result.warnings());
    }

    static List<InputNote> notes(List<IntakeWarning> warnings) {
        return warnings.stream()
                .map(warning -> new InputNote(
                        warning.reason().key(),
                        warning.kind(),
                        warning.subject().isEmpty() ? null : warning.subject(),
                        warning.field(),
                        warning.consequence(),
                        warning.message()))
                .toList();
    }

    public String table(Terminal terminal) {
        PlanReport report = report();
        String picture = new GanttChart(terminal).draw(report, result.snapshot().after(plan.moves()));
        return new TableReport(terminal).write(report) + (picture.isEmpty() ? "" : "\n" + picture);
    }

    /** Prints the notices about the input, and the causes of internal errors, because there is no log. */
    void warn(PrintWriter err) {
        warn(result, err);
        plan.pending().forEach(pending -> {
            if (pending.refusal() instanceof Refusal.Failed failed) {
                explain(failed.error(), err);
            }
        });
    }

    private static void explain(InternalFailure failure, PrintWriter err) {
        err.println("Warning: %s is %s".formatted(failure, failure.words()));
    }

    /** Returns the warnings about gangs. Notes and warnings about nodes are for those who plan on the files. */
    static List<IntakeWarning> concerns(IntakeResult result) {
        return result.warnings().stream()
                .filter(warning -> warning.isOfConcern() && !warning.kind().equals("Node"))
                .toList();
    }

    /** Prints the notices about objects, and the expansion of workloads among them. */
    public static void warn(IntakeResult result, PrintWriter err) {
        warn(result.warnings(), err);
    }

    static void warn(List<IntakeWarning> warnings, PrintWriter err) {
        warnings.forEach(warning -> {
            err.println((warning.isOfConcern() ? "Warning: " : "Note: ") + warning.message());
            if (warning.failure() != null) {
                explain(warning.failure(), err);
            }
        });
    }
}
