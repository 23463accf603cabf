package io.slotwise.core.window.shortlist;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ValueBoundsTest {
    @Test
    void fewDurationsAreFoundAsBySortingAllNodes() {
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

    @Test
    void theCheapestNodesOfEachDurationGiveTheBoundOfAllNodes() {
        for (int seed = 0; seed < 60; seed++) {
            Gang gang = gang(seed);
            List<Offer> offers = eligibility(gang, seed).offers();
            long latest = PaperEnvironment.INTERVAL - 1;

            ValueBounds few = new ValueBounds(gang, offers, 0, latest);

            ValueBounds all = new ValueBounds(gang, offers, 0, latest, 0);
            assertThat(Offers.of(offers).cheapestOfDurations(1)).isNotNull();
            for (int i = 0; i < offers.size(); i++) {
                assertThat(few.of(i)).as("seed %d, node %d", seed, i).isEqualTo(all.of(i));
            }
            assertThat(few.least()).as("seed %d", seed).isEqualTo(all.least());
            for (int count : new int[] {1, 7, offers.size()}) {
                int[] first = few.first(count);
                assertThat(first).as("seed %d", seed).isEqualTo(all.first(count));
                long value = few.of(first[count - 1]);
                assertThat(few.within(value)).as("seed %d", seed).isEqualTo(all.within(value));
                assertThat(few.within(value)).hasSizeGreaterThanOrEqualTo(count);
                assertThat(few.lastStart(value, few.least())).isEqualTo(all.lastStart(value, all.least()));
            }
        }
    }

    @Test
    void theMostValuableWindowIsFoundWithAShortlist() {
        int late = 0;
        for (int seed = 0; seed < 60; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            Gang gang = gang(seed);
            Eligibility eligibility = eligibility(gang, seed);
            SlotTerms terms = SlotTerms.of(gang, 0, PaperEnvironment.INTERVAL);
            List<Field> fields = Field.of(gang, List.of(eligibility));

            Optional<Window> window = new WindowSearch(gang, fields, 1 + random.nextInt(40), 1 + random.nextInt(100))
                    .best(Criterion.VALUE, terms, gang.budget().limit());

            assertThat(window)
                    .as("seed %d", seed)
                    .isEqualTo(new WindowSearch(gang, fields, 1000, 1)
                            .best(Criterion.VALUE, terms, gang.budget().limit()));
            late += window.isPresent() && window.get().start() > 0 ? 1 : 0;
        }
        assertThat(late).isGreaterThan(10);
    }

    /** The job of the papers with a value of time between almost nothing and more than any money. */
    private static Gang gang(int seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        Money hour = new Money(1L << random.nextInt(10, 36));
        return PaperEnvironment.job(Criterion.VALUE)
                .valuing(
                        seed % 2 == 0
                                ? ValueOfTime.always(hour)
                                : new ValueOfTime(hour, random.nextLong(PaperEnvironment.INTERVAL)));
    }

    /** In every third case there are eight nodes of each kind. */
    private static Eligibility eligibility(Gang gang, int seed) {
        Cluster cluster =
                PaperEnvironment.of(200, PaperEnvironment.INTERVAL, seed).cluster();
        return new Eligibility(
                Eligibility.Kind.of(gang),
                new Timeline(seed % 3 == 0 ? ShortlistTest.alike(cluster) : cluster, 0, 0),
                true);
    }
}
