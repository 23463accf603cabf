package io.slotwise.core.window.shortlist;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ValueBoundsTest {
    @Test
    void fewDurationsAreToldApartAsSortingAllNodesTellsThem() {
        int compared = 0;
        for (int seed = 0; seed < 500; seed++) {
            RandomClusters clusters = new RandomClusters(
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
            Timeline timeline = new Timeline(clusters.cluster(12), RandomClusters.NOW, 0);
            Gang gang = clusters.fallingAtTimes(clusters.gang("g", Criterion.VALUE));
            List<Offer> offers = new Eligibility(Eligibility.Kind.of(gang), timeline, false).offers();
            long latest = RandomClusters.NOW + RandomClusters.SPAN;

            ValueBounds few = new ValueBounds(gang, offers, RandomClusters.NOW, latest);

            ValueBounds all = new ValueBounds(gang, offers, RandomClusters.NOW, latest, 0);
            for (int i = 0; i < offers.size(); i++) {
                assertThat(few.of(i)).as("seed %d, node %d", seed, i).isEqualTo(all.of(i));
            }
            compared += offers.size() > 1 && gang.size() > 1 ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(100);
    }
}
