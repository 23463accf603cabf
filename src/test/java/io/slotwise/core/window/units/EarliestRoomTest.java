package io.slotwise.core.window.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The first second with room at every instant, beside a count of every second. */
class EarliestRoomTest {
    @Test
    void isTheFirstSecondOfACountOfAll() {
        int later = 0;
        int never = 0;
        for (int seed = 0; seed < 2000; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(clusters.cluster(6), RandomClusters.NOW, random.nextInt(3));
            Gang gang = clusters.gang("g", Criterion.START);
            SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
            List<Offer> offers = new Eligibility(Kind.of(gang), timeline, false).offers();

            OptionalLong second = EarliestRoom.second(offers, gang.size(), terms);

            assertThat(second).as("seed %d", seed).isEqualTo(counted(offers, gang.size(), terms));
            later += second.isPresent() && second.getAsLong() > terms.earliest() + 10 ? 1 : 0;
            never += second.isPresent() ? 0 : 1;
        }
        assertThat(later).isGreaterThan(50);
        assertThat(never).isGreaterThan(50);
    }

    private static OptionalLong counted(List<Offer> offers, int pods, SlotTerms terms) {
        long shortest = offers.stream().mapToLong(Offer::duration).min().orElse(RandomClusters.SPAN);
        long latest = Math.min(terms.latest(), terms.deadline() - shortest);
        SlotList room = EarliestRoom.at(
                offers, new SlotTerms(terms.earliest(), terms.deadline(), terms.deadline(), terms.slotPrice()));
        return LongStream.rangeClosed(terms.earliest(), latest)
                .filter(start -> LongStream.range(start, start + shortest).allMatch(t -> free(room, pods, t) >= pods))
                .findFirst();
    }

    private static int free(SlotList room, int pods, long t) {
        int free = 0;
        for (int i = 0; i < room.offers().size(); i++) {
            free += Math.min(pods, room.countAt(i, t));
        }
        return free;
    }
}
