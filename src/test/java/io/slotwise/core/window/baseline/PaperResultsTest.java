package io.slotwise.core.window.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.lab.workload.paper.PaperUnits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Proves that the order of the paper's results (section 3.2) holds on its environment of 100 nodes. */
class PaperResultsTest {
    private static final int RUNS = 100;
    private static final List<Criterion> CRITERIA =
            List.of(Criterion.START, Criterion.FINISH, Criterion.RUNTIME, Criterion.COST, Criterion.PROCESSOR_TIME);

    private record Averages(double start, double finish, double runtime, double cost, double processorTime) {
        static Averages of(List<Window> windows) {
            return new Averages(
                    average(windows, Criterion.START),
                    average(windows, Criterion.FINISH),
                    average(windows, Criterion.RUNTIME),
                    average(windows, Criterion.COST) / PaperUnits.COST,
                    average(windows, Criterion.PROCESSOR_TIME));
        }

        private static double average(List<Window> windows, Criterion criterion) {
            return windows.stream()
                    .mapToLong(window -> window.value(criterion))
                    .average()
                    .orElseThrow();
        }
    }

    private static final Map<String, Averages> RESULTS = new HashMap<>();
    private static double slots;
    private static double alternatives;

    @BeforeAll
    static void run() {
        Map<String, List<Window>> found = new HashMap<>();
        for (int seed = 0; seed < RUNS; seed++) {
            PaperEnvironment environment = PaperEnvironment.of(100, PaperEnvironment.INTERVAL, seed);
            Gang job = PaperEnvironment.job(Criterion.START);
            List<Offer> offers = environment.eligibility(job).offers();
            SlotTerms terms = environment.terms(job);
            List<Window> csa = Csa.alternatives(job, offers, terms, job.budget().limit());
            slots += FreeSlotList.of(offers, terms).slots().size() / (double) RUNS;
            alternatives += csa.size() / (double) RUNS;
            for (Criterion criterion : CRITERIA) {
                add(found, "csa " + criterion.key(), Csa.best(csa, criterion).orElseThrow());
                Aep baseline = Aep.of(
                        criterion, RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
                add(
                        found,
                        criterion.key(),
                        baseline.best(job, offers, terms, job.budget().limit()).orElseThrow());
            }
            Aep net = new MinRuntime(Substitution.NET);
            add(
                    found,
                    "net runtime",
                    net.best(job, offers, terms, job.budget().limit()).orElseThrow());
        }
        found.forEach((series, windows) -> RESULTS.put(series, Averages.of(windows)));
    }

    private static void add(Map<String, List<Window>> found, String series, Window window) {
        found.computeIfAbsent(series, _ -> new ArrayList<>()).add(window);
    }

    private static Averages result(String series) {
        return Objects.requireNonNull(RESULTS.get(series));
    }

    @Test
    void numbersOfSlotsAndAlternativesAreOfThePapersOrder() {
        assertThat(slots).as("the paper has 472.6").isBetween(440.0, 500.0);
        assertThat(alternatives).as("the paper has 57").isBetween(40.0, 90.0);
    }

    @Test
    void ampStartsFirstAndAtOnce() {
        double earliest = result("start").start();

        assertThat(earliest).as("the paper has 0").isLessThan(1);
        assertThat(RESULTS.values()).allMatch(averages -> averages.start() >= earliest);
    }

    @Test
    void minFinishEndsFirstAndCsaComesNext() {
        double first = result("finish").finish();
        double next = result("csa finish").finish();

        assertThat(first).as("the paper has 34.4").isBetween(30.0, 45.0);
        assertThat(next).as("the paper has 52.6").isBetween(45.0, 65.0);
        assertThat(RESULTS).allSatisfy((series, averages) -> {
            if (!series.equals("finish") && !series.equals("csa finish")) {
                assertThat(averages.finish()).as(series).isGreaterThan(next);
            }
        });
    }

    @Test
    void minRuntimeIsShortestAndTakesTheLeastProcessorTime() {
        double shortest = result("runtime").runtime();

        assertThat(shortest).as("the paper has 33").isBetween(30.0, 36.0);
        for (String series : List.of("start", "finish", "cost", "processor-time", "csa runtime")) {
            assertThat(result(series).runtime()).as(series).isGreaterThan(shortest);
            assertThat(result(series).processorTime())
                    .as(series)
                    .isGreaterThan(result("runtime").processorTime());
        }
    }

    @Test
    void minCostIsCheapestAndSlow() {
        double cheapest = result("cost").cost();

        assertThat(cheapest).as("the paper has 1027.3").isBetween(980.0, 1070.0);
        assertThat(result("csa cost").cost()).as("the paper has 1352").isBetween(1300.0, 1400.0);
        assertThat(RESULTS.values()).allMatch(averages -> averages.cost() >= cheapest);
        assertThat(result("cost").runtime()).as("the paper has 114.7").isGreaterThan(75);
    }

    @Test
    void minRuntimeStartsWhenThePapersDoesOnlyNetOfTheLeavingSlot() {
        assertThat(result("net runtime").start()).as("the paper has 53").isBetween(30.0, 80.0);
        assertThat(result("net runtime").start()).isLessThan(result("cost").start());
        assertThat(result("cost").start()).isLessThan(result("processor-time").start());
        assertThat(result("runtime").start()).isGreaterThan(200);
    }
}
