package io.slotwise.lab.simulation.processors;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.util.List;

/** The common part of disciplines: a machine without disturbances, and the refusal of too large jobs. */
abstract sealed class Discipline implements Scheduler permits Fcfs, Easy, Conservative {
    final ProcessorMachine processors;

    Discipline(ProcessorMachine processors) {
        this.processors = processors;
    }

    abstract void queue(Job job, long now);

    @Override
    public final long capacityOf(Job job) {
        return job.size();
    }

    @Override
    public final boolean submitted(Job job, long now) {
        boolean admitted = processors.admits(job);
        if (admitted) {
            queue(job, now);
        }
        return admitted;
    }

    @Override
    public void ended(JobRun run) {
        processors.end(run);
    }

    @Override
    public final List<JobRun> meets(Disturbance disturbance, long now) {
        throw new IllegalArgumentException(
                "A machine of whole processors meets no disturbance (%s).".formatted(disturbance));
    }

    @Override
    public long wakesAt() {
        return NEVER;
    }

    @Override
    public final MachineLoad load(long now) {
        return processors.load(now);
    }
}
