package io.slotwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class EarliestOpeningsTest {
    private static final Resources REQUEST = Resources.of(Map.of(Resources.CPU, 1000L, Resources.MEMORY, 1000L));

    /** More than any node has. */
    private static final Resources TOO_MUCH = Resources.of(Map.of(Resources.CPU, 1_000_000_000L));

    private record Taken(String node, Interval interval) {}

    private static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** The first second from which one pod has room, found second by second. Nothing changes after the last second. */
    private static long first(NodeTimeline node, Resources request, long seconds) {
        long last = RandomClusters.NOW + 4 * RandomClusters.SPAN;
        for (long t = RandomClusters.NOW; t <= last; t++) {
            if (node.starts(request, seconds, t, t) != null) {
                return t;
            }
        }
        return Long.MAX_VALUE;
    }

    @Test
    void theFirstStartIsTheFirstSecondWithRoomAfterAnyChanges() {
        int never = 0;
        int later = 0;
        for (int seed = 0; seed < 40; seed++) {
            RandomGenerator random = seeded(seed);
            Timeline timeline =
                    new Timeline(new RandomClusters(random).cluster(8), RandomClusters.NOW, random.nextInt(3));
            // These runtimes are not rounded down.
            long runtime = List.of(4L, 6L, 8L, 12L, 24L, 48L).get(random.nextInt(6));
            List<Taken> taken = new ArrayList<>();
            for (int round = 0; round < 12; round++) {
                Resources request = round == 11 ? TOO_MUCH : REQUEST;
                long[] starts = timeline.firstStarts(request, runtime, false);

                for (int i = 0; i < starts.length; i++) {
                    NodeTimeline node = timeline.nodes().get(i);
                    long expected =
                            first(node, request, node.node().performance().duration(runtime));
                    assertThat(starts[i])
                            .as("seed %d, round %d, node %d", seed, round, i)
                            .isEqualTo(expected);
                    never += expected == Long.MAX_VALUE ? 1 : 0;
                    later += expected > RandomClusters.NOW ? 1 : 0;
                }
                // Sometimes there are more changes than are kept.
                change(timeline, taken, random, random.nextInt(6) == 0 ? 5_000 : random.nextInt(4));
            }
        }
        assertThat(later).isGreaterThan(200);
        assertThat(never).isPositive().isLessThan(later);
    }

    private static void change(Timeline timeline, List<Taken> taken, RandomGenerator random, int times) {
        for (int i = 0; i < times; i++) {
            if (!taken.isEmpty() && random.nextInt(2 + times) > 1) {
                Taken back = taken.remove(random.nextInt(taken.size()));
                timeline.vacate(back.node(), REQUEST, back.interval());
            } else {
                long start = RandomClusters.NOW + random.nextLong(RandomClusters.SPAN);
                Taken now = new Taken("n" + random.nextInt(8), new Interval(start, start + 1 + random.nextInt(60)));
                timeline.occupy(now.node(), REQUEST, now.interval());
                taken.add(now);
            }
        }
    }

    @Test
    void longerPodsReuseTheResultsOfShorterOnes() {
        for (int seed = 0; seed < 20; seed++) {
            Timeline timeline = new Timeline(new RandomClusters(seeded(seed)).cluster(8), RandomClusters.NOW, 0);
            for (long runtime = 1; runtime < 80; runtime++) {
                long[] starts = timeline.firstStarts(REQUEST, runtime, true);

                for (int i = 0; i < starts.length; i++) {
                    assertThat(starts[i])
                            .isLessThanOrEqualTo(first(timeline.nodes().get(i), REQUEST, runtime));
                }
            }
        }
    }
}
