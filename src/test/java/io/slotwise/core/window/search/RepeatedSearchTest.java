package io.slotwise.core.window.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.AlternativeSearch;
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

    @ParameterizedTest
    @EnumSource
    void findsTheImprovementsOfAPlainSearch(Criterion criterion) {
        int found = 0;
        for (int seed = 0; seed < 1500; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(clusters.cluster(20), RandomClusters.NOW, random.nextInt(3));
            Gang gang = clusters.fallingAtTimes(clusters.gang("g", criterion));
            Gang other = clusters.gang("other", Criterion.START);
            SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
            Optional<Window> promise = search(gang, timeline, 1000, 1)
                    .best(
                            criterion,
                            terms.from(RandomClusters.NOW + random.nextInt(60)),
                            gang.budget().limit());
            promise.ifPresent(window -> window.occupy(timeline, gang));
            AlternativeSearch repeated = improving(gang, timeline, promise, terms, 1 + random.nextInt(3))
                    .repeated();
            for (int round = 0; promise.isPresent() && round < MOST; round++) {
                Optional<Window> window = repeated.next(timeline);
                assertThat(window)
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(
                                improving(gang, timeline, promise, terms, 1000).next(timeline));
                Optional<Window> taken = random.nextBoolean()
                        ? window.filter(improvement -> improvement.fits(timeline, gang))
                        : Optional.empty();
                taken.ifPresent(takes -> takes.occupy(timeline, gang));
                if (taken.isEmpty()) {
                    best(search(other, timeline, 1000, 1), other).ifPresent(takes -> takes.occupy(timeline, other));
                }
                found += window.isPresent() ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(500);
    }

    private static AlternativeSearch improving(
            Gang gang, Timeline timeline, Optional<Window> promise, SlotTerms terms, int firstNodes) {
        return new AlternativeSearch(
                gang, search(gang, timeline, firstNodes, 1 + firstNodes), terms, promise.orElse(null), 0);
    }

    private static WindowSearch search(Gang gang, Timeline timeline, int firstNodes, int firstPart) {
        Eligibility eligibility = new Eligibility(Kind.of(gang), timeline, false);
        List<Field> fields = Field.of(gang, List.of(eligibility));
        return new WindowSearch(gang, fields, firstNodes, firstPart);
    }

    private static Optional<Window> best(SlotSelection search, Gang gang) {
        SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
        Cost limit = gang.budget().limit();
        return search.best(gang.criterion(), terms, limit);
    }
}
