package io.slotwise.core.window.search;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.baseline.Aep;
import io.slotwise.core.window.baseline.Csa;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGeneratorFactory;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The paper's algorithms and the exact searches on the paper's environment, from the nodes' free capacity to the
 * window: its Tables 1 (nodes) and 2 (length of the interval).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class BaselineBenchmark {
    @Param({"START", "RUNTIME", "FINISH", "PROCESSOR_TIME", "COST"})
    Criterion criterion = Criterion.START;

    @Param("100")
    int nodes;

    @Param("600")
    int interval;

    private Gang job;
    private List<Offer> offers;
    private SlotTerms terms;
    private Cost budget;
    private WindowSearch search;
    private Aep baseline;

    @Setup
    public void environment() {
        PaperEnvironment environment = PaperEnvironment.of(nodes, interval, 1);
        job = PaperEnvironment.job(criterion);
        Eligibility eligibility = environment.eligibility(job);
        offers = eligibility.offers();
        terms = environment.terms(job);
        budget = job.budget().limit();
        search = new WindowSearch(job, eligibility);
        baseline =
                Aep.of(criterion, RandomGeneratorFactory.of("L64X128MixRandom").create(1));
    }

    /** Runs the paper's algorithm. */
    @Benchmark
    public Optional<Window> paper() {
        return baseline.best(job, offers, terms, budget);
    }

    /** Runs the exact search. */
    @Benchmark
    public Optional<Window> exact() {
        return search.best(criterion, terms, budget);
    }

    /** Finds all disjoint alternatives by AMP. */
    @Benchmark
    public List<Window> csa() {
        return Csa.alternatives(job, offers, terms, budget);
    }
}
