package io.slotwise.lab.simulation;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.util.stream.Stream;

/**
 * A workload in which it is worth the same to every job to end an hour earlier; jobs want cost and delay to be least
 * together, unless they say what else they want. A job that has a value of its own keeps its terms.
 *
 * @param original without values
 * @param hour currency units
 */
public record ValuedJobs(Workload original, Money hour) implements DerivedWorkload {
    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(this::valued);
    }

    private Job valued(Job job) {
        return job.terms().valueOfTime().isNone() ? job.valuing(ValueOfTime.always(hour)) : job;
    }
}
