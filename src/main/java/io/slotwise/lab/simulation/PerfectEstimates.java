package io.slotwise.lab.simulation;

import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.util.stream.Stream;

/**
 * A workload whose users know how long their jobs run.
 *
 * @param original with its users' estimates
 */
public record PerfectEstimates(Workload original) implements DerivedWorkload {
    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(job -> job.estimated(job.runtime()));
    }
}
