package io.slotwise.simulation;

import io.slotwise.workload.Job;
import io.slotwise.workload.Workload;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A workload whose users know how long their jobs run.
 *
 * @param original with its users' estimates
 */
public record PerfectEstimates(Workload original) implements Workload {
    @Override
    public String name() {
        return original.name();
    }

    @Override
    public OptionalInt processors() {
        return original.processors();
    }

    @Override
    public List<String> remarks() {
        return original.remarks();
    }

    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(job -> job.estimated(job.runtime()));
    }
}
