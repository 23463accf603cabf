package io.slotwise.simulation;

import io.slotwise.core.money.Cost;
import io.slotwise.workload.Job;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job on the machine, from its start to its end; the scheduler that starts it knows when it will end, and decides as if it did not.
 *
 * @param job which
 * @param start the first second
 * @param end the first second after its last task
 * @param capacity what it takes, in the unit of {@link Load}
 * @param processorTime the sum of its tasks' seconds
 * @param work capacity times seconds, summed over its tasks
 * @param income what it pays to each owner, by name
 * @param loss its loss of user utility in millionths, if its window was chosen among alternatives
 */
public record Run(
        Job job,
        long start,
        long end,
        long capacity,
        long processorTime,
        long work,
        SortedMap<String, Cost> income,
        OptionalLong loss) {
    public Run {
        income = Collections.unmodifiableSortedMap(new TreeMap<>(income));
    }

    /** What it pays, exactly. */
    public Cost cost() {
        return income.values().stream().reduce(Cost.ZERO, Cost::plus);
    }

    /** Seconds from the submission to the start. */
    public long waited() {
        return start - job.submit();
    }

    /** Seconds from the start to the end. */
    public long seconds() {
        return end - start;
    }
}
