package io.slotwise.lab.simulation.processors;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.workload.Job;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A machine of whole processors that differ only in price. A job gets the cheapest free processors, with ties by the
 * lowest number. Not thread-safe. A start and an end take O(1) if all cost the same, else O(processors of the job +
 * words of free ones before them). Price calendars add, for each considered processor, the logarithm of the calendar's
 * pieces and the pieces during the job.
 */
public final class ProcessorMachine {
    public static final String OWNER = "machine";

    private final int total;

    /** The mean price of a processor over time, millionths per hour. */
    private final StepFunction price;

    private int free;

    /** The prices over time, the cheapest first. Empty if all are the same. */
    private final List<StepFunction> prices;

    /** The free processors; not maintained if all cost the same. */
    private final BitSet idle = new BitSet();

    /** The processors of each running job, by its id. */
    private final Map<String, int[]> taken = new HashMap<>();

    /** Creates an idle machine with one price over the workload's clock, millionths per hour. */
    public ProcessorMachine(int total, StepFunction price) {
        if (total <= 0) {
            throw new IllegalArgumentException("The number of processors (%d) must be positive.".formatted(total));
        }
        this.total = total;
        this.price = price;
        this.free = total;
        this.prices = List.of();
    }

    /**
     * Creates an idle machine with different prices, which may change with time. The cheapest processors are those with
     * the lowest price before any change, because calendars change all prices by the same factor.
     *
     * @param prices the prices of each processor, millionths of the currency unit per hour, over the workload's clock;
     *     at least one
     */
    public static ProcessorMachine of(List<StepFunction> prices) {
        List<StepFunction> ascending = prices.stream()
                .sorted(Comparator.comparingLong(price -> price.value(0)))
                .toList();
        return ascending.stream().distinct().count() == 1
                ? new ProcessorMachine(ascending.size(), ascending.getFirst())
                : new ProcessorMachine(ascending);
    }

    private ProcessorMachine(List<StepFunction> ascending) {
        if (ascending.isEmpty()) {
            throw new IllegalArgumentException("The number of processors (0) must be positive.");
        }
        this.total = ascending.size();
        this.price = StepFunction.mean(ascending);
        this.free = total;
        this.prices = ascending;
        idle.set(0, total);
    }

    int total() {
        return total;
    }

    int free() {
        return free;
    }

    boolean admits(Job job) {
        return job.size() <= total;
    }

    boolean fits(Job job) {
        return job.size() <= free;
    }

    /** Starts the job, which must fit. */
    JobRun start(Job job, long now) {
        int size = job.size();
        if (size > free) {
            throw new IllegalStateException(
                    "The job (%s) needs %d processors, %d are free.".formatted(job.id(), size, free));
        }
        free -= size;
        long seconds = Math.min(job.runtime(), job.estimate());
        long work = Math.multiplyExact(size, seconds);
        SortedMap<String, Cost> income = new TreeMap<>();
        income.put(OWNER, new Cost(cost(job, size, now, now + seconds)));
        return new JobRun(
                job, now, now + seconds, size, work, work, income, null, JobRun.Before.NOTHING, JobRun.Loss.NOTHING);
    }

    /** Takes the cheapest free processors. Returns their cost in these seconds, millionths per hour times seconds. */
    private long cost(Job job, int size, long from, long to) {
        if (prices.isEmpty()) {
            return Math.multiplyExact(size, price.sum(from, to));
        }
        int[] own = new int[size];
        long cost = 0;
        int at = idle.nextSetBit(0);
        for (int i = 0; i < size; i++) {
            own[i] = at;
            cost = Math.addExact(cost, prices.get(at).sum(from, to));
            idle.clear(at);
            at = idle.nextSetBit(at + 1);
        }
        taken.put(job.id(), own);
        return cost;
    }

    void end(JobRun run) {
        free += (int) run.capacity();
        int[] own = taken.remove(run.job().id());
        if (own != null) {
            for (int processor : own) {
                idle.set(processor);
            }
        }
    }

    MachineLoad load(long now) {
        return new MachineLoad(total, total - free, price.at(now));
    }
}
