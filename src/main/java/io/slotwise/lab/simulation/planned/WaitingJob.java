package io.slotwise.lab.simulation.planned;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.planner.queue.BypassCounter;
import io.slotwise.core.planner.queue.BypassCounter.Arrival;
import io.slotwise.lab.simulation.JobRun.Deal;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A job that waits for its start or restart, with its promise. */
final class WaitingJob {
    final Job job;
    final StoppedRuns runs;
    /** The gang with the remaining work and the remaining budget of the job. */
    final Gang gang;

    private final List<Cause> broken = new ArrayList<>();
    private @Nullable Promise promise;
    private PromiseTariff tariff = PromiseTariff.CONSTANT;
    private OptionalLong told = OptionalLong.empty();
    private @Nullable FirstPromise first;
    private OptionalLong loss = OptionalLong.empty();
    private int passed;
    private int before;

    WaitingJob(Job job, StoppedRuns runs) {
        Gang gang = job.gang();
        this.job = job;
        this.runs = runs;
        this.gang = runs.equals(StoppedRuns.NOTHING)
                ? gang
                : gang.lasting(job.estimate() - runs.done() + runs.overhead())
                        .paying(gang.budget().after(runs.paidCost()))
                        .startingFrom(Math.max(gang.earliestStart(), runs.back()));
    }

    /** Returns the rest of this job after its run was stopped. Its first promise still counts. */
    WaitingJob stopped(StoppedRuns after, Cause cause) {
        WaitingJob waitingJob = new WaitingJob(job, after);
        waitingJob.told = told;
        waitingJob.first = first;
        waitingJob.passed = passed;
        waitingJob.before = before;
        waitingJob.broken.addAll(broken);
        waitingJob.broken.add(cause);
        return waitingJob;
    }

    /** Returns the request for the planner; {@code home} are the resource domains that it must not leave, or null. */
    Request request(@Nullable Home home) {
        return new Request(home == null ? gang : gang.staying(home), promise, passed);
    }

    @Nullable
    Promise promise() {
        return promise;
    }

    /** Keeps a window that is on this bought node. */
    void releasePromise(String node) {
        if (promise != null && promise.window().isOn(node)) {
            promise = promise.withReleased(true);
        }
    }

    PromiseTariff tariff() {
        return tariff;
    }

    /** Sets a promise at these prices. Returns whether it is the job's first one. */
    boolean promised(Promise betterPromise, PromiseTariff promiseTariff, OptionalLong utilityLoss, long now) {
        promise = betterPromise;
        tariff = promiseTariff;
        loss = utilityLoss;
        boolean ever = first != null;
        if (!ever) {
            told = OptionalLong.of(now);
            first = FirstPromise.of(betterPromise);
            before = passed;
        }
        return !ever;
    }

    /** Counts the gangs with a first promise that pass this one. */
    void passedBy(BypassCounter counter) {
        passed += counter.passed(arrival());
    }

    Arrival arrival() {
        return Arrival.of(gang);
    }

    void unpromised() {
        promise = null;
    }

    void broken(Cause cause) {
        broken.add(cause);
    }

    Deal deal(long now) {
        return new Deal(told.orElse(now), first == null ? new FirstPromise(now) : first, before, broken, loss);
    }
}
