package io.slotwise.core.window.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.testing.RandomClusters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ParetoMenuTest {
    /** The least cost of every second, with one search each. */
    private static Map<Long, Long> leastCosts(Gang gang, Eligibility eligibility, long from, long to) {
        Map<Long, Long> costs = new HashMap<>();
        for (long t = Math.max(from, gang.earliestStart()); t < to; t++) {
            SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, to).between(t, t);
            Optional<Window> window = new WindowSearch(gang, eligibility).best(Criterion.COST, terms, Cost.UNLIMITED);
            if (window.isPresent() && window.get().start() == t) {
                costs.put(t, window.get().cost().microSecondsPerHour());
            }
        }
        return costs;
    }

    @Test
    void listsEveryParetoOptimalStartButThoseInsideAFall() {
        int points = 0;
        for (int seed = 0; seed < 150; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(1 + random.nextInt(5));
            Gang gang = clusters.gang("g", Criterion.COST);
            Eligibility eligibility =
                    new Eligibility(Kind.of(gang), new Timeline(cluster, RandomClusters.NOW, 0), false);
            long end = RandomClusters.NOW + RandomClusters.SPAN;
            Map<Long, Long> least = leastCosts(gang, eligibility, RandomClusters.NOW, end);

            List<Window> menu = new WindowSearch(gang, eligibility).menu(SlotTerms.of(gang, RandomClusters.NOW, end));

            Map<Long, Long> listed = new HashMap<>();
            menu.forEach(window -> listed.put(window.start(), window.cost().microSecondsPerHour()));
            long best = Long.MAX_VALUE;
            for (long t = RandomClusters.NOW; t < end; t++) {
                long cost = at(least, t);
                long shown = at(listed, t);
                boolean optimal = cost < best;
                boolean insideAFall = optimal && at(least, t - 1) == best && at(least, t + 1) < cost;
                if (insideAFall) {
                    assertThat(shown).as("seed %d, second %d", seed, t).isIn(cost, Long.MAX_VALUE);
                } else {
                    assertThat(shown).as("seed %d, second %d", seed, t).isEqualTo(optimal ? cost : Long.MAX_VALUE);
                }
                best = Math.min(best, cost);
            }
            points += menu.size();
        }
        assertThat(points).isGreaterThan(150);
    }

    private static long at(Map<Long, Long> costs, long t) {
        return costs.getOrDefault(t, Long.MAX_VALUE);
    }
}
