package io.slotwise.core.planner;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.work.Workers;
import io.slotwise.testing.SharedEnvironment;
import io.slotwise.testing.SharedEnvironment.Prices;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The time of a planning cycle: alternatives, their combination under a limit, shift and backfilling. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 2)
@Measurement(iterations = 4, time = 2)
@Fork(1)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class CycleBenchmark {
    @Param("10000")
    int nodes;

    @Param("2")
    int slotsPerNode;

    @Param("1000")
    int gangs;

    @Param({"2", "10", "50"})
    int alternatives;

    @Param({"1", "2"})
    int threads;

    private ForkJoinPool pool;
    private Snapshot snapshot;
    private Planner planner;

    @Setup
    public void batch() {
        SharedEnvironment environment = SharedEnvironment.of(nodes, slotsPerNode, Prices.FLAT, 1);
        List<Request> requests = SharedEnvironment.batch(gangs, 1).stream()
                .map(gang -> new Request(gang, null))
                .toList();
        snapshot = new Snapshot(0, environment.cluster(), requests, List.of());
        Policy usual = Policy.EXACT;
        Policy.Batch batch = usual.batch()
                .withAlternatives(alternatives)
                .serving(Objective.MAX_INCOME, new Limit(Measure.PROCESSOR_TIME, OptionalLong.empty()));
        pool = new ForkJoinPool(threads);
        planner = new Planner(usual.withBatch(batch), threads == 1 ? Workers.CALLER : new Pooled());
    }

    @TearDown
    public void end() {
        pool.shutdown();
    }

    /** The caller is a thread of the pool, as in the program. */
    private static final class Pooled implements Workers {
        @Override
        public <T, R> List<R> each(List<T> parts, Function<T, R> work) {
            return parts.size() < 2
                    ? Workers.CALLER.each(parts, work)
                    : parts.parallelStream().map(work).toList();
        }
    }

    @Benchmark
    public Plan cycle() {
        return threads == 1
                ? planner.plan(snapshot)
                : pool.submit(() -> planner.plan(snapshot)).join();
    }
}
