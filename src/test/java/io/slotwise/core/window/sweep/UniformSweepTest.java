package io.slotwise.core.window.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.testing.RandomClusters;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class UniformSweepTest {
    private static final long NOW = RandomClusters.NOW;

    @Test
    void noWindowCostsLessThanThePassSaysBeforeItBegins() {
        int told = 0;
        int reached = 0;
        for (int seed = 0; seed < 3000; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(clusters.cluster(1 + random.nextInt(5)), NOW, 0);
            Gang gang = clusters.gang("g", Criterion.COST);
            SlotTerms terms = SlotTerms.of(gang, NOW, NOW + 300);
            SlotList slots = new SlotList(new Eligibility(Eligibility.Kind.of(gang), timeline, false).offers(), terms);
            UniformSweep sweep = new UniformSweep(slots, gang.size());

            long least = sweep.least();

            long cheapest = Long.MAX_VALUE;
            while (sweep.advance()) {
                for (long t = sweep.from(); sweep.enough() && t <= sweep.to(); t++) {
                    cheapest = Math.min(cheapest, sweep.cheapest(t, Long.MAX_VALUE));
                }
            }
            assertThat(least).as("seed %d", seed).isLessThanOrEqualTo(cheapest);
            told += least == Long.MIN_VALUE ? 0 : 1;
            reached += least == cheapest ? 1 : 0;
        }
        assertThat(told).isGreaterThan(500);
        assertThat(reached).isGreaterThan(50);
    }
}
