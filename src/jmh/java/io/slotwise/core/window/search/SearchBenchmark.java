package io.slotwise.core.window.search;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.sweep.SlotSearch;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.testing.SharedEnvironment;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** The time of an exact search by nodes and slots: the sweep over given slots, and the whole search. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class SearchBenchmark {
    private static final int SLOTS_PER_PAPER_INTERVAL = 5;

    /** The cluster of the search. */
    public enum Environment {
        PAPER,
        SHARED,
        CALENDAR
    }

    @Param({"PAPER", "SHARED", "CALENDAR"})
    Environment environment = Environment.PAPER;

    @Param({"START", "COST", "RUNTIME", "FINISH", "PROCESSOR_TIME", "ENERGY", "VALUE"})
    Criterion criterion = Criterion.START;

    @Param({"100", "400", "1000", "4000", "10000"})
    int nodes;

    @Param("20")
    int slotsPerNode;

    @Param("NONE")
    Nearness nearness = Nearness.NONE;

    /** The nodes that the pods may use together: any, those of one rack, or any with a runtime by the distance. */
    public enum Nearness {
        NONE,
        RACK,
        DISTANCE
    }

    private Gang gang = PaperEnvironment.job(criterion);
    private Eligibility eligibility;
    private SlotList slots;
    private WindowSearch search;
    private SlotTerms terms;

    @Setup
    public void environment() {
        Cluster cluster;
        long horizon;
        if (environment == Environment.PAPER) {
            horizon = PaperEnvironment.INTERVAL * slotsPerNode / SLOTS_PER_PAPER_INTERVAL;
            cluster = PaperEnvironment.of(nodes, horizon, 1).cluster();
            gang = PaperEnvironment.job(criterion);
        } else {
            SharedEnvironment shared = SharedEnvironment.of(
                    nodes,
                    slotsPerNode,
                    environment == Environment.SHARED
                            ? SharedEnvironment.Prices.FLAT
                            : SharedEnvironment.Prices.CALENDAR,
                    1);
            cluster = shared.cluster();
            horizon = shared.horizon();
            gang = SharedEnvironment.gang(criterion);
        }
        if (nearness != Nearness.NONE) {
            cluster = Racks.of(cluster);
            gang = gang.within(nearness == Nearness.RACK ? Racks.REQUIRED : Racks.DISTANCE);
        }
        gang = gang.valuing(ValueOfTime.always(valueOfTime(gang)));
        terms = SlotTerms.of(gang, 0, horizon);
        eligibility = new Eligibility(Eligibility.Kind.of(gang), new Timeline(cluster, 0, 0), false);
        slots = new SlotList(eligibility.offers(), terms);
        search = new WindowSearch(gang, eligibility);
    }

    /**
     * The value of time at which a delay as long as the gang costs half of its budget, so that neither cost nor time
     * decides alone.
     */
    private static Money valueOfTime(Gang gang) {
        Money total = Objects.requireNonNull(gang.budget().total());
        return new Money(total.micros() * 3600 / gang.runtime() / 2);
    }

    /** Sweeps given slots. */
    @Benchmark
    public @Nullable Object sweep() {
        return FieldSearch.algorithm(criterion, gang, true)
                .best(SlotSearch.uniform(slots, gang.size()), gang.budget().limit());
    }

    /** Finds slots, sweeps them and makes the window. */
    @Benchmark
    public Optional<Window> search() {
        return search.best(criterion, terms, gang.budget().limit());
    }

    /** Searches for a new gang, for which the most promising nodes must be determined first. */
    @Benchmark
    public Optional<Window> first() {
        return new WindowSearch(gang, eligibility)
                .best(criterion, terms, gang.budget().limit());
    }
}
