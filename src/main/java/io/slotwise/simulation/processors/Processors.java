package io.slotwise.simulation.processors;

import io.slotwise.core.money.Cost;
import io.slotwise.simulation.Load;
import io.slotwise.simulation.Run;
import io.slotwise.workload.Job;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A machine of whole processors that differ in their prices alone: which are free, and what an hour of each costs. A job gets the cheapest free ones, of equal ones those with the lowest
 * numbers. Not safe for threads. A start and an end take O(1) where all cost the same, else O(processors of the job + words of free ones before them).
 */
public final class Processors {
    /** Who earns what the machine is paid. */
    public static final String OWNER = "machine";

    private final int total;
    private final long price;
    private int free;

    /** What they cost, ascending; empty: all the same. */
    private final long[] prices;

    /** Which of these are free; not kept where all cost the same. */
    private final BitSet idle = new BitSet();

    /** What each job that runs has of them, by its id. */
    private final Map<String, int[]> taken = new HashMap<>();

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
        this.prices = new long[0];
    }

    /**
     * An idle machine whose processors do not all cost the same.
     *
     * @param prices of each processor, millionths of the currency unit per hour; at least one
     */
    public static Processors of(long[] prices) {
        long[] ascending = prices.clone();
        Arrays.sort(ascending);
        return ascending.length > 0 && ascending[0] == ascending[ascending.length - 1]
                ? new Processors(ascending.length, ascending[0])
                : new Processors(ascending);
    }

    private Processors(long[] ascending) {
        if (ascending.length == 0) {
            throw new IllegalArgumentException("The number of processors (0) must be positive.");
        }
        this.total = ascending.length;
        this.price = Arrays.stream(ascending).reduce(0, Math::addExact) / ascending.length;
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
        income.put(OWNER, new Cost(Math.multiplyExact(rate(job, size), seconds)));
        return new Run(job, now, now + seconds, size, work, work, income, null);
    }

    /** Takes the cheapest free processors for a job; what they cost together, millionths per hour. */
    private long rate(Job job, int size) {
        if (prices.length == 0) {
            return Math.multiplyExact(size, price);
        }
        int[] own = new int[size];
        long rate = 0;
        int at = idle.nextSetBit(0);
        for (int i = 0; i < size; i++) {
            own[i] = at;
            rate = Math.addExact(rate, prices[at]);
            idle.clear(at);
            at = idle.nextSetBit(at + 1);
        }
        taken.put(job.id(), own);
        return rate;
    }

    /** Gives back what the run took. */
    void end(Run run) {
        free += (int) run.capacity();
        int[] own = taken.remove(run.job().id());
        if (own != null) {
            for (int processor : own) {
                idle.set(processor);
            }
        }
    }

    Load load() {
        return new Load(total, total - free, price);
    }
}
