package io.slotwise.core.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Money;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.testing.RandomClusters;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class SlotListTest {
    private static final long NOW = RandomClusters.NOW;

    @Test
    void countsThePodsThatMayStartInEverySecond() {
        int free = 0;
        int changes = 0;
        for (int seed = 0; seed < 400; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(clusters.cluster(4), NOW, random.nextBoolean() ? 0 : random.nextInt(10));
            Gang gang = clusters.gang("g", Criterion.COST);
            long earliest = NOW + random.nextInt(60);
            SlotTerms terms = new SlotTerms(
                    earliest,
                    earliest + random.nextInt(200),
                    random.nextBoolean() ? NOW + 100 + random.nextInt(200) : Long.MAX_VALUE,
                    random.nextInt(3) > 0 ? null : new Money(random.nextLong(5_000_000)));
            SlotList slots = new SlotList(new Eligibility(Kind.of(gang), timeline, false).offers(), terms);

            for (int i = 0; i < slots.offers().size(); i++) {
                Offer offer = slots.offers().get(i);
                for (int p = slots.offset(i) + 1; p < slots.offset(i + 1); p++) {
                    assertThat(slots.time(p)).isGreaterThan(slots.time(p - 1));
                    assertThat(slots.count(p)).isNotEqualTo(slots.count(p - 1));
                    changes++;
                }
                for (long t = earliest - 2; t < terms.latest() + 3; t++) {
                    int expected = t < earliest || t > terms.latest() ? 0 : pods(offer, terms, t);
                    assertThat(slots.countAt(i, t))
                            .as("seed %d, node %s, second %d", seed, offer.node(), t - NOW)
                            .isEqualTo(expected);
                    free += expected > 0 ? 1 : 0;
                }
            }
        }
        assertThat(free).isGreaterThan(10_000);
        assertThat(changes).isGreaterThan(1_000);
    }

    /** The number of pods, found second by second. */
    private static int pods(Offer offer, SlotTerms terms, long start) {
        NodeTimeline node = offer.timeline();
        long end = start + offer.duration();
        if (end > terms.deadline()
                || node.unavailable().stream().anyMatch(kept -> kept.start() < end && start < kept.end())) {
            return 0;
        }
        for (long t = start; t < end && terms.slotPrice() != null; t++) {
            if (offer.rate().at(t) > terms.slotPrice().micros()) {
                return 0;
            }
        }
        long most = offer.most();
        for (long t = start; t < end + node.turnover(); t++) {
            long[] left = node.leastFree(t, t + 1);
            for (int q = 0; q < offer.request().size(); q++) {
                int r = node.node().allocatable().indexOf(offer.request().name(q));
                most = Math.min(
                        most, r < 0 ? 0 : Math.max(0, left[r]) / offer.request().amount(q));
            }
        }
        return (int) most;
    }
}
