package io.slotwise.lab.simulation;

import io.slotwise.lab.workload.Job;
import java.util.List;

/** Several observers as one; {@code all}: in the order in which they are told. */
public record SimulationObservers(List<SimulationObserver> all) implements SimulationObserver {
    public SimulationObservers {
        all = List.copyOf(all);
    }

    @Override
    public void ended(JobRun run) {
        all.forEach(observer -> observer.ended(run));
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        all.forEach(observer -> observer.interrupted(run, why));
    }

    @Override
    public void submitted(Job job) {
        all.forEach(observer -> observer.submitted(job));
    }

    @Override
    public void refused(Job job) {
        all.forEach(observer -> observer.refused(job));
    }

    @Override
    public void started(JobRun run) {
        all.forEach(observer -> observer.started(run));
    }

    @Override
    public void passed(long now, MachineLoad load) {
        all.forEach(observer -> observer.passed(now, load));
    }
}
