package io.slotwise.lab.simulation;

import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.util.List;
import java.util.Optional;

/**
 * A policy whose users say nothing of runtimes: each job gets the estimate that is guessed at its submission.
 *
 * @param policy that decides by the estimates
 * @param guess who makes them, and hears of every end
 */
public record GuessedRuntimePolicy(Scheduler policy, RuntimeGuess guess) implements Scheduler {
    @Override
    public void ended(JobRun run) {
        guess.ended(run);
        policy.ended(run);
    }

    @Override
    public List<JobRun> meets(Disturbance disturbance, long now) {
        return policy.meets(disturbance, now);
    }

    @Override
    public long capacityOf(Job job) {
        return policy.capacityOf(job);
    }

    @Override
    public boolean submitted(Job job, long now) {
        return policy.submitted(job.estimated(guess.of(job)), now);
    }

    @Override
    public List<Stopped> stops(long now) {
        return policy.stops(now);
    }

    @Override
    public List<JobRun> pass(long now) {
        return policy.pass(now);
    }

    @Override
    public long wakesAt() {
        return policy.wakesAt();
    }

    @Override
    public Optional<NodeSpending> spending() {
        return policy.spending();
    }

    @Override
    public MachineLoad load(long now) {
        return policy.load(now);
    }
}
