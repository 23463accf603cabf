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

class RoomInARowTest {
    private static final Resources REQUEST = Resources.of(Map.of(Resources.CPU, 1000L, Resources.MEMORY, 1000L));
    private static final long LAST = RandomClusters.NOW + 4 * RandomClusters.SPAN;

    /** Whether there is room for a pod at a second, whatever comes after it. */
    private static boolean hasRoom(NodeTimeline node, long second) {
        long[] free = node.leastFree(second, second + 1);
        for (int q = 0; q < REQUEST.size(); q++) {
            int r = node.indexOf(REQUEST.name(q));
            if (r < 0 || free[r] < REQUEST.amount(q)) {
                return false;
            }
        }
        return true;
    }

    /** All seconds in a row with room, counted second by second. */
    private static List<Interval> counted(NodeTimeline node) {
        List<Interval> all = new ArrayList<>();
        long since = -1;
        for (long t = RandomClusters.NOW; t <= LAST; t++) {
            boolean free = hasRoom(node, t);
            if (free && since < 0) {
                since = t;
            } else if (!free && since >= 0) {
                all.add(new Interval(since, t));
                since = -1;
            }
        }
        if (since >= 0) {
            all.add(new Interval(since, Long.MAX_VALUE));
        }
        return all;
    }

    @Test
    void roomInARowIsToldFromItsFirstSecondToItsLastWhereverOneOfThemIsAskedFor() {
        int some = 0;
        for (int seed = 0; seed < 100; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            Timeline timeline = new Timeline(new RandomClusters(random).cluster(8), RandomClusters.NOW, 0);
            for (NodeTimeline node : timeline.nodes()) {
                long from = RandomClusters.NOW - 5 + random.nextLong(2 * RandomClusters.SPAN);
                long to = from + 1 + random.nextLong(RandomClusters.SPAN);
                List<Interval> told = new ArrayList<>();

                node.tellRoom(REQUEST, from, to, (since, until) -> told.add(new Interval(since, until)));

                assertThat(told)
                        .as("seed %d, %s from %d to %d", seed, node.node().name(), from, to)
                        .isEqualTo(counted(node).stream()
                                .filter(row -> row.start() < to && row.end() > from)
                                .toList());
                some += told.isEmpty() ? 0 : 1;
            }
        }
        assertThat(some).isBetween(200, 795);
    }
}
