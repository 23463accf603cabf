package io.slotwise.core.window.search;

import static io.slotwise.testing.RandomClusters.NOW;
import static io.slotwise.testing.RandomClusters.SPAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.Usual;
import java.util.List;
import java.util.random.RandomGeneratorFactory;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IntersectingAlternativesTest {
    @ParameterizedTest
    @EnumSource
    void everyAlternativeIsAWindowAndTheBestIsTheFirst(Criterion criterion) {
        int several = 0;
        for (int seed = 0; seed < 150; seed++) {
            RandomClusters clusters = new RandomClusters(
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
            Cluster cluster = clusters.cluster(2 + seed % 6);
            Gang gang = clusters.fallingAtTimes(clusters.gang("g", criterion));
            Timeline timeline = new Timeline(cluster, NOW, 0);
            WindowSearch search = new WindowSearch(gang, new Eligibility(Kind.of(gang), timeline, false));
            SlotTerms terms = SlotTerms.of(gang, NOW, NOW + SPAN);
            int most = 1 + seed % 9;

            List<Window> found = IntersectingAlternatives.find(gang, search, terms, most);

            assertThat(found).hasSizeLessThanOrEqualTo(most).doesNotHaveDuplicates();
            assertThat(found).isSortedAccordingTo(WindowSearch.order(criterion, gang));
            assertThat(found.stream().findFirst())
                    .as("seed %d", seed)
                    .isEqualTo(search.best(criterion, terms, gang.budget().limit()));
            for (Window window : found) {
                assertThat(faults(cluster, gang, window))
                        .as("seed %d: %s", seed, gang)
                        .isEmpty();
            }
            several += found.size() > 1 ? 1 : 0;
        }
        assertThat(several).isGreaterThan(40);
    }

    private static List<String> faults(Cluster cluster, Gang gang, Window window) {
        return PlanChecker.faults(
                new Snapshot(NOW, cluster, List.of(new Request(gang, null)), List.of()),
                Policy.EXACT.withHorizon(SPAN),
                Usual.plan(
                        NOW,
                        NOW + SPAN,
                        List.of(new Planned(gang, window, WindowOrigin.CYCLIC, false)),
                        List.of(),
                        List.of(),
                        List.of()));
    }

    @ParameterizedTest
    @EnumSource(
            value = Criterion.class,
            names = {"START", "COST", "RUNTIME", "FINISH", "PROCESSOR_TIME"})
    void holdsTheParetoFrontOfStartAndCostWhereAllAreAllowed(Criterion criterion) {
        int several = 0;
        for (int seed = 0; seed < 10; seed++) {
            PaperEnvironment paper = PaperEnvironment.of(10, PaperEnvironment.INTERVAL, seed);
            Gang job = PaperEnvironment.job(criterion);
            WindowSearch search = new WindowSearch(job, paper.eligibility(job));

            List<Window> found = IntersectingAlternatives.find(job, search, paper.terms(job), 10_000);

            List<Tuple> front = search.menu(paper.terms(job)).stream()
                    .filter(window -> window.cost().compareTo(job.budget().limit()) <= 0)
                    .map(window -> Tuple.tuple(window.start(), window.cost()))
                    .toList();
            assertThat(found).extracting(Window::start, Window::cost).containsAll(front);
            several += front.size() > 2 ? 1 : 0;
        }
        assertThat(several).isPositive();
    }

    @Test
    void fewAlternativesSpanTheRangeOfAll() {
        PaperEnvironment paper = PaperEnvironment.of(20, PaperEnvironment.INTERVAL, 3);
        Gang job = PaperEnvironment.job(Criterion.RUNTIME);
        WindowSearch search = new WindowSearch(job, paper.eligibility(job));

        List<Window> all = IntersectingAlternatives.find(job, search, paper.terms(job), 10_000);
        List<Window> few = IntersectingAlternatives.find(job, search, paper.terms(job), 5);

        assertThat(all).hasSizeGreaterThan(30);
        assertThat(few).hasSize(5).isSubsetOf(all);
        assertThat(few.getFirst()).isEqualTo(all.getFirst());
        assertThat(few.getLast().runtime()).isEqualTo(all.getLast().runtime());
    }
}
