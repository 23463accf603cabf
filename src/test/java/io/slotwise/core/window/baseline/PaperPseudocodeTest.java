package io.slotwise.core.window.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Proves that baselines and pseudo-code agree in start, nodes and cost of each window. */
class PaperPseudocodeTest {
    private static final int CASES = 500;

    /** A search: nodes that may be used together, and the other inputs of a baseline. */
    private record Case(long seed, Cluster cluster, Gang gang, List<Offer> offers, SlotTerms terms, long turnover) {
        @Nullable
        Window best(Aep baseline) {
            return baseline.best(gang, offers, terms, gang.budget().limit()).orElse(null);
        }

        List<Window> alternatives() {
            return Csa.alternatives(gang, offers, terms, gang.budget().limit());
        }

        PaperPseudocode pseudocode() {
            return new PaperPseudocode(
                    cluster,
                    gang,
                    offers,
                    terms,
                    turnover,
                    gang.budget().limit().microSecondsPerHour());
        }
    }

    private static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static List<Case> cases(long seed) {
        RandomGenerator random = seeded(seed);
        RandomClusters clusters = new RandomClusters(random);
        Cluster cluster = clusters.cluster(3 + random.nextInt(9));
        Gang gang = clusters.gang("g", Criterion.START);
        long turnover = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        long now = RandomClusters.NOW;
        SlotTerms whole = SlotTerms.of(gang, now, now + RandomClusters.SPAN);
        SlotTerms terms =
                random.nextInt(4) == 0 ? whole.within(now + random.nextInt(100), now + RandomClusters.SPAN) : whole;
        Eligibility eligibility =
                new Eligibility(Eligibility.Kind.of(gang), new Timeline(cluster, now, turnover), random.nextBoolean());
        List<Case> cases = new ArrayList<>();
        for (Field field : Field.of(gang, List.of(eligibility))) {
            List<Offer> offers = field.shapes().getFirst();
            cases.add(new Case(seed, cluster, gang, offers, terms, turnover));
        }
        return cases;
    }

    private static void agree(
            BiFunction<Case, RandomGenerator, @Nullable Window> baseline,
            BiFunction<PaperPseudocode, RandomGenerator, PaperPseudocode.@Nullable Found> paper) {
        int found = 0;
        for (int seed = 0; seed < CASES; seed++) {
            boolean any = false;
            for (Case c : cases(seed)) {
                Window window = baseline.apply(c, seeded(seed));

                assertThat(PaperPseudocode.Found.of(window))
                        .as("seed %d, %s", seed, c.gang())
                        .isEqualTo(paper.apply(c.pseudocode(), seeded(seed)));
                any |= window != null;
            }
            found += any ? 1 : 0;
        }
        assertThat(found).as("cases with a window").isBetween(CASES / 5, CASES * 9 / 10);
    }

    @Test
    void minStartIsThePapersAmp() {
        agree((c, _) -> c.best(new MinStart()), (paper, _) -> paper.amp());
    }

    @Test
    void minCostIsThePapers() {
        agree((c, _) -> c.best(new MinCost()), (paper, _) -> paper.minCost());
    }

    @Test
    void minRuntimeIsThePapers() {
        agree((c, _) -> c.best(new MinRuntime()), (paper, _) -> paper.minRuntime(false));
    }

    @Test
    void minRuntimeNetOfTheLeavingSlotOtherwiseMatchesThePaper() {
        agree((c, _) -> c.best(new MinRuntime(Substitution.NET)), (paper, _) -> paper.minRuntime(true));
    }

    @Test
    void minFinishIsThePapers() {
        agree((c, _) -> c.best(new MinFinish()), (paper, _) -> paper.minFinish(false));
    }

    @Test
    void minFinishNetOfTheLeavingSlotOtherwiseMatchesThePaper() {
        agree((c, _) -> c.best(new MinFinish(Substitution.NET)), (paper, _) -> paper.minFinish(true));
    }

    @Test
    void minProcessorTimeDrawsThePapersRandomWindows() {
        agree((c, random) -> c.best(new MinProcessorTime(random)), (paper, random) -> paper.minProcessorTime(random));
    }

    @Test
    void csaFindsThePapersAlternativesInTheirOrder() {
        int several = 0;
        for (int seed = 0; seed < CASES; seed++) {
            for (Case c : cases(seed)) {
                List<Window> alternatives = c.alternatives();

                assertThat(alternatives.stream().map(PaperPseudocode.Found::of).toList())
                        .as("seed %d, %s", seed, c.gang())
                        .isEqualTo(c.pseudocode().csa());
                several += alternatives.size() > 1 ? 1 : 0;
            }
        }
        assertThat(several).as("cases with several alternatives").isGreaterThan(CASES / 10);
    }

    @Test
    void csaSelectsTheFirstOfTheBestAlternatives() {
        for (int seed = 0; seed < CASES; seed++) {
            for (Case c : cases(seed)) {
                List<Window> alternatives = c.alternatives();
                for (Criterion criterion : Criterion.values()) {
                    if (Aep.serves(criterion)) {
                        assertThat(Csa.best(alternatives, criterion).orElse(null))
                                .as("seed %d, %s", seed, c.gang())
                                .isEqualTo(PaperPseudocode.select(alternatives, criterion));
                    }
                }
            }
        }
    }

    @Test
    void csaAlternativesAreDisjointAndWithinTheBudget() {
        for (int seed = 0; seed < CASES; seed++) {
            for (Case c : cases(seed)) {
                List<Window> alternatives = c.alternatives();
                List<Placement> placements = alternatives.stream()
                        .flatMap(window -> window.placements().stream())
                        .toList();

                for (int i = 0; i < placements.size(); i++) {
                    for (int j = 0; j < i; j++) {
                        Placement a = placements.get(i);
                        Placement b = placements.get(j);
                        assertThat(!Objects.equals(a.node(), b.node())
                                        || a.end() + c.turnover() <= b.start()
                                        || b.end() + c.turnover() <= a.start())
                                .as("seed %d: %s beside %s", seed, a, b)
                                .isTrue();
                    }
                }
                assertThat(alternatives)
                        .as("seed %d", seed)
                        .allMatch(window ->
                                window.cost().compareTo(c.gang().budget().limit()) <= 0);
            }
        }
    }
}
