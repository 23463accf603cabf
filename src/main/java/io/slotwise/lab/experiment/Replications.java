package io.slotwise.lab.experiment;

import io.slotwise.lab.simulation.ReplicationShard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Runs the replications of an experiment on several threads. A replication may consist of several parts, see {@code
 * Experiment#parts}. Each thread takes the next part that no thread has taken, and keeps its own tally. Tallies add up
 * exactly, so the number of threads does not affect the results.
 */
public final class Replications {
    private final Experiment experiment;
    private final Extent extent;
    private final Progress progress;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final int[] numbers;

    /** The replications to run: those of a shard, out of {@code runs}. A shard has every n-th part of them. */
    public record Extent(int runs, long seed, ReplicationShard shard) {
        public Extent {
            if (runs <= 0) {
                throw new IllegalArgumentException("The number of runs (%d) must be positive.".formatted(runs));
            }
        }
    }

    @FunctionalInterface
    public interface Progress {
        Progress NONE = (_, _) -> {};

        /** Reports progress, from any thread. */
        void done(int parts, int of);
    }

    private Replications(Experiment experiment, Extent extent, Progress progress) {
        this.experiment = experiment;
        this.extent = extent;
        this.progress = progress;
        this.numbers = IntStream.range(0, Math.multiplyExact(extent.runs(), experiment.parts()))
                .filter(extent.shard()::has)
                .toArray();
    }

    /** Runs all replications; a timed experiment uses one thread. */
    public static Tally run(Experiment experiment, Extent extent, int threads, Progress progress) {
        return new Replications(experiment, extent, progress).run(threads);
    }

    public static ExperimentResults conclude(Experiment experiment, int runs, long seed, Tally tally) {
        return new ExperimentResults(experiment.profile(), runs, seed, experiment.conclude(tally));
    }

    private Tally run(int threads) {
        if (experiment.profile().timed() || threads == 1) {
            warmUp();
            return work();
        }
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Tally>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                parts.add(executor.submit(this::work));
            }
            Tally tally = new Tally();
            for (Future<Tally> part : parts) {
                tally.add(part.get());
            }
            return tally;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The experiment was interrupted.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "A replication of the experiment (%s) failed."
                            .formatted(experiment.profile().name()),
                    e.getCause());
        }
    }

    private void warmUp() {
        Tally tally = new Tally();
        for (int i = 1; i <= experiment.profile().warmUps(); i++) {
            experiment.run(Seeds.of(extent.seed(), -1L - i), tally);
        }
    }

    private Tally work() {
        Tally tally = new Tally();
        for (int i = next.getAndIncrement(); i < numbers.length; i = next.getAndIncrement()) {
            int parts = experiment.parts();
            experiment.run(numbers[i] % parts, Seeds.of(extent.seed(), numbers[i] / parts), tally);
            progress.done(done.incrementAndGet(), numbers.length);
        }
        return tally;
    }
}
