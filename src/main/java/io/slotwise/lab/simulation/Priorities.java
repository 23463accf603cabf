package io.slotwise.lab.simulation;

import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A workload whose jobs differ in priority, and in whether they may be moved while they run.
 *
 * <p>A job has the priority of its queue, if the queue has one; all others draw theirs. Draws depend only on the seed,
 * the user and the job's name.
 *
 * @param byQueue the priorities of the log's queues, by name
 * @param drawn shares of the jobs, together at most {@value #ALL} percent; a job without a share keeps its priority
 * @param migratablePercent the share of all jobs that may be moved, 0 to {@value #ALL}
 */
public record Priorities(
        Workload original,
        SortedMap<String, Integer> byQueue,
        List<Share> drawn,
        int migratablePercent,
        long seed,
        RandomSource randomSource)
        implements DerivedWorkload {
    private static final int ALL = 100;
    private static final long MIXER = 0xD1342543DE82EF95L;

    /** A share of all jobs, not negative. */
    public record Share(int percent, int priority) {}

    public Priorities {
        byQueue = Collections.unmodifiableSortedMap(new TreeMap<>(byQueue));
        drawn = List.copyOf(drawn);
        long sum = drawn.stream().mapToLong(Share::percent).sum();
        if (sum > ALL || drawn.stream().anyMatch(share -> share.percent < 0)) {
            throw new IllegalArgumentException(
                    "The shares (%d %%) must not be negative and together be at most 100 %%.".formatted(sum));
        }
        if (migratablePercent < 0 || migratablePercent > ALL) {
            throw new IllegalArgumentException(
                    "The share of migratable jobs (%d %%) must be between 0 and 100 %%.".formatted(migratablePercent));
        }
    }

    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(this::ranked);
    }

    private Job ranked(Job job) {
        RandomGenerator random = new NamedDraws(randomSource, seed, MIXER).of(job);
        int drawnPriority = priority(job, random.nextInt(ALL));
        int priority = byQueue.getOrDefault(job.terms().queue(), drawnPriority);
        boolean migratable =
                random.nextInt(ALL) < migratablePercent || job.terms().migratable();
        return job.on(job.terms().ranking(priority, migratable));
    }

    private int priority(Job job, int percentile) {
        int below = 0;
        for (Share share : drawn) {
            below += share.percent;
            if (percentile < below) {
                return share.priority;
            }
        }
        return job.terms().priority();
    }
}
