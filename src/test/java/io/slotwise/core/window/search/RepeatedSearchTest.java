package io.slotwise.core.window.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.shortlist.ShortlistTest;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that a search that continues from its last result, while others take room, finds the same as a new one. */
class RepeatedSearchTest {
    private static final int MOST = 12;

    @ParameterizedTest
    @EnumSource
    void findsTheWindowsOfAPlainSearchOfAllNodes(Criterion criterion) {
        int found = 0;
        int later = 0;
        for (int seed = 0; seed < 1500; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = seed % 2 == 0 ? clusters.cluster(20) : ShortlistTest.alike(clusters.cluster(3));
            Timeline timeline = new Timeline(
                    seed % 3 == 0 ? ShortlistTest.flat(cluster) : cluster, RandomClusters.NOW, random.nextInt(3));
            Gang gang = clusters.fallingAtTimes(clusters.gang("g", criterion));
            List<Criterion> criteria = List.of(Criterion.values());
            Gang other = clusters.gang("other", criteria.get(random.nextInt(criteria.size())));
            SlotSelection repeated = search(gang, timeline, 1 + random.nextInt(3), 1 + random.nextInt(100))
                    .repeated();
            int round = 0;
            Optional<Window> window = Optional.empty();
            do {
                window = best(repeated, gang);
                assertThat(window)
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(best(search(gang, timeline, 1000, 1), gang));
                // Sometimes another gang takes the room first.
                boolean own = random.nextInt(4) > 0;
                Optional<Window> taken = own ? window : best(search(other, timeline, 1000, 1), other);
                taken.ifPresent(takes -> takes.occupy(timeline, own ? gang : other));
                found += window.isPresent() ? 1 : 0;
                later += round > 3 && window.isPresent() ? 1 : 0;
                round++;
            } while (window.isPresent() && round < MOST);
        }
        assertThat(found).isGreaterThan(2000);
        assertThat(later).isGreaterThan(200);
    }

    private static WindowSearch search(Gang gang, Timeline timeline, int firstNodes, int firstPart) {
        Eligibility eligibility = new Eligibility(Kind.of(gang), timeline, false);
        List<List<List<Offer>>> fields = Eligibility.fields(gang, List.of(eligibility));
        return new WindowSearch(gang, fields, firstNodes, firstPart);
    }

    private static Optional<Window> best(SlotSelection search, Gang gang) {
        SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
        Cost limit = gang.budget().limit();
        return search.best(gang.criterion(), terms, limit);
    }
}
