package io.slotwise.core.window.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.Usual;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class AgainstExactSearchTest {
    private static final int CASES = 300;

    private static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static Optional<Window> exact(PaperEnvironment environment, Gang job) {
        return new WindowSearch(job, environment.eligibility(job))
                .best(job.criterion(), environment.terms(job), job.budget().limit());
    }

    private static Optional<Window> papers(PaperEnvironment environment, Gang job) {
        return Aep.of(job.criterion(), seeded(0))
                .best(
                        job,
                        environment.eligibility(job).offers(),
                        environment.terms(job),
                        job.budget().limit());
    }

    @Test
    void ampStartsWhenTheExactSearchDoesOnWholeNodesWithFlatPrices() {
        Gang job = PaperEnvironment.job(Criterion.START);
        int found = 0;
        for (int seed = 0; seed < CASES; seed++) {
            PaperEnvironment environment = PaperEnvironment.of(6 + seed % 15, 250, seed);

            Optional<Window> amp = papers(environment, job);

            assertThat(amp.map(Window::start))
                    .as("seed %d", seed)
                    .isEqualTo(exact(environment, job).map(Window::start));
            found += amp.isPresent() ? 1 : 0;
        }
        assertThat(found).as("cases with a window").isBetween(CASES / 4, CASES * 9 / 10);
    }

    @Test
    void minCostIsAsCheapAsTheExactSearchOnWholeNodesWithFlatPrices() {
        Gang job = PaperEnvironment.job(Criterion.COST);
        for (int seed = 0; seed < CASES; seed++) {
            PaperEnvironment environment = PaperEnvironment.of(6 + seed % 15, 250, seed);

            Optional<Window> minCost = papers(environment, job);

            assertThat(minCost).as("seed %d", seed).isEqualTo(exact(environment, job));
        }
    }

    /** A gang on shared nodes with price calendars, and the best window of each baseline. */
    private record Shared(
            Snapshot snapshot,
            Policy policy,
            Gang gang,
            Eligibility eligibility,
            SlotTerms terms,
            RandomGenerator random) {
        static Shared of(long seed) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(3 + random.nextInt(6));
            Gang gang = clusters.gang("g", Criterion.START);
            Policy policy = Policy.EXACT.withTurnover(random.nextInt(3));
            long now = RandomClusters.NOW;
            return new Shared(
                    new Snapshot(now, cluster, List.of(new Request(gang, null)), List.of()),
                    policy,
                    gang,
                    new Eligibility(Eligibility.Kind.of(gang), new Timeline(cluster, now, policy.turnover()), false),
                    SlotTerms.of(gang, now, now + RandomClusters.SPAN),
                    random);
        }

        List<Window> windows(Criterion criterion) {
            List<Window> windows = new ArrayList<>();
            for (Field field : Field.of(gang, List.of(eligibility))) {
                List<Offer> offers = field.shapes().getFirst();
                Aep.of(criterion, random)
                        .best(gang, offers, terms, gang.budget().limit())
                        .ifPresent(windows::add);
            }
            return windows;
        }

        Optional<Window> exact(Criterion criterion) {
            return new WindowSearch(gang, eligibility)
                    .best(criterion, terms, gang.budget().limit());
        }

        List<String> faults(Window window) {
            Plan plan = Usual.plan(
                    snapshot.now(),
                    snapshot.now() + policy.horizon(),
                    List.of(new Planned(gang, window, WindowOrigin.CYCLIC, false)),
                    List.of(),
                    List.of(),
                    List.of());
            return PlanChecker.faults(snapshot, policy, plan);
        }
    }

    @Test
    void noBaselineIsBetterThanTheExactSearch() {
        int worse = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Shared shared = Shared.of(seed);
            for (Criterion criterion : List.of(Criterion.START, Criterion.COST)) {
                for (Window window : shared.windows(criterion)) {
                    long best = shared.exact(criterion).orElseThrow().value(criterion);

                    assertThat(window.value(criterion)).as("seed %d", seed).isGreaterThanOrEqualTo(best);
                    worse += window.value(criterion) > best ? 1 : 0;
                }
            }
        }
        assertThat(worse).as("windows that the exact search betters").isPositive();
    }

    @Test
    void everyWindowKeepsThePublicContract() {
        int judged = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Shared shared = Shared.of(seed);
            // A lockstep gang's window of one field may be charged for a duration that none of its nodes needs.
            if (shared.gang().lockstep()) {
                continue;
            }
            for (Criterion criterion : Criterion.values()) {
                if (Aep.serves(criterion)) {
                    for (Window window : shared.windows(criterion)) {
                        assertThat(shared.faults(window))
                                .as("seed %d, %s", seed, criterion)
                                .isEmpty();
                        judged++;
                    }
                }
            }
        }
        assertThat(judged).as("windows").isGreaterThan(CASES);
    }

    @Test
    void randomWindowsThatTheBudgetAllowsAreFoundWheneverThereIsAnyWithinIt() {
        Gang job = PaperEnvironment.job(Criterion.PROCESSOR_TIME);
        int found = 0;
        for (int seed = 0; seed < CASES; seed++) {
            PaperEnvironment environment = PaperEnvironment.of(6 + seed % 15, 250, seed);

            Optional<Window> random = new MinProcessorTime(seeded(seed), MinProcessorTime.Drawing.AFFORDABLE)
                    .best(
                            job,
                            environment.eligibility(job).offers(),
                            environment.terms(job),
                            job.budget().limit());

            Optional<Window> exact = exact(environment, job);
            assertThat(random.isPresent()).as("seed %d", seed).isEqualTo(exact.isPresent());
            random.ifPresent(window -> {
                assertThat(window.cost()).isLessThanOrEqualTo(job.budget().limit());
                assertThat(window.processorTime())
                        .isGreaterThanOrEqualTo(exact.orElseThrow().processorTime());
            });
            found += random.isPresent() ? 1 : 0;
        }
        assertThat(found).isBetween(1, CASES - 1);
    }
}
