package io.slotwise.simulation.processors;

import io.slotwise.core.money.Cost;
import io.slotwise.simulation.Load;
import io.slotwise.simulation.Run;
import io.slotwise.workload.Job;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A machine of whole identical processors: how many are free, and what an hour of one costs. Not safe for threads. All steps O(1).
 */
public final class Processors {
    /** Who earns what the machine is paid. */
    public static final String OWNER = "machine";

    private final int total;
    private final long price;
    private int free;

    /**
     * An idle machine.
     *
     * @param total its processors, positive
     * @param price millionths of the currency unit per hour of a processor
     */
    public Processors(int total, long price) {
        if (total <= 0) {
            throw new IllegalArgumentException("The number of processors (%d) must be positive.".formatted(total));
        }
        this.total = total;
        this.price = price;
        this.free = total;
    }

    int total() {
        return total;
    }

    int free() {
        return free;
    }

    /** Whether the job fits on the idle machine. */
    boolean admits(Job job) {
        return job.size() <= total;
    }

    /** Whether the job fits beside what runs. */
    boolean fits(Job job) {
        return job.size() <= free;
    }

    /** Starts the job, which must fit. */
    Run start(Job job, long now) {
        int size = job.size();
        if (size > free) {
            throw new IllegalStateException(
                    "The job (%s) needs %d processors, %d are free.".formatted(job.id(), size, free));
        }
        free -= size;
        long seconds = Math.min(job.runtime(), job.estimate());
        long work = Math.multiplyExact(size, seconds);
        SortedMap<String, Cost> income = new TreeMap<>();
        income.put(OWNER, new Cost(Math.multiplyExact(work, price)));
        return new Run(job, now, now + seconds, size, work, work, income, null);
    }

    /** Gives back what the run took. */
    void end(Run run) {
        free += (int) run.capacity();
    }

    Load load() {
        return new Load(total, total - free, price);
    }
}
