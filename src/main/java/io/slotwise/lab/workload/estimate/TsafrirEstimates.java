package io.slotwise.lab.workload.estimate;

import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.EstimateModel.Popular;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A workload with estimates as users give them, in place of its own: few, round, and far above the run times.
 *
 * <p>The estimates are drawn by {@link EstimateModel} and shared out from the longest job to the shortest: each gets a
 * random one of those left that are not below its run time. Where none is left, it gets the maximum. A job that runs
 * longer than the maximum is cut there.
 *
 * <p>Making it reads the workload once, O(n log n) time and O(n) space for n jobs.
 *
 * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates" (2005).
 */
public final class TsafrirEstimates implements DerivedWorkload {
    /** The least maximum for which there are enough round times, seconds. */
    public static final long SHORTEST_MAXIMUM = 2 * 3600;

    private final Workload original;
    private final long[] estimates;

    private TsafrirEstimates(Workload original, long[] estimates) {
        this.original = original;
        this.estimates = estimates;
    }

    /**
     * Draws the estimates.
     *
     * @param original at least one job
     * @param maximum the longest estimate, seconds, at least two hours
     * @param random decides who gets which
     */
    public static TsafrirEstimates of(
            Workload original, long maximum, EstimateTemplate template, RandomGenerator random) {
        long[] runtimes;
        try (Stream<Job> jobs = original.jobs()) {
            runtimes = jobs.mapToLong(Job::runtime).toArray();
        }
        if (runtimes.length == 0) {
            return new TsafrirEstimates(original, runtimes);
        }
        List<Popular> popular = EstimateModel.estimates(runtimes.length, maximum, template, random);
        return new TsafrirEstimates(original, matched(runtimes, popular, maximum, random));
    }

    private static long[] matched(long[] runtimes, List<Popular> popular, long maximum, RandomGenerator random) {
        int[] longestFirst = IntStream.range(0, runtimes.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> runtimes[i]).reversed())
                .mapToInt(Integer::intValue)
                .toArray();
        PrimitiveIterator.OfLong descending = popular.stream()
                .sorted(Comparator.comparingLong(Popular::seconds).reversed())
                .flatMapToLong(
                        estimate -> LongStream.generate(estimate::seconds).limit(estimate.jobs()))
                .iterator();
        long[] pool = new long[runtimes.length];
        int size = 0;
        long next = descending.nextLong();
        long[] matched = new long[runtimes.length];
        for (int job : longestFirst) {
            long runtime = Math.min(runtimes[job], maximum);
            while (next >= runtime) {
                pool[size++] = next;
                next = descending.hasNext() ? descending.nextLong() : Long.MIN_VALUE;
            }
            if (size == 0) {
                matched[job] = maximum;
            } else {
                int drawn = random.nextInt(size);
                matched[job] = pool[drawn];
                pool[drawn] = pool[--size];
            }
        }
        return matched;
    }

    @Override
    public Workload original() {
        return original;
    }

    @Override
    public Stream<Job> jobs() {
        Iterator<Long> each = LongStream.of(estimates).iterator();
        return original.jobs().sequential().map(job -> estimated(job, each.next()));
    }

    private static Job estimated(Job job, long estimate) {
        Job other = job.estimated(estimate);
        return other.runtime() <= estimate
                ? other
                : new Job(other.id(), other.submit(), other.parts(), estimate, other.user(), other.terms());
    }
}
