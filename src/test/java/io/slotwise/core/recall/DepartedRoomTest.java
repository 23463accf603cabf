package io.slotwise.core.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.recall.RoomChanges.Left;
import io.slotwise.core.resource.Resources;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DepartedRoomTest {
    private static final int NODES = 6;
    private static final Resources REQUEST = Resources.of(Map.of(Resources.CPU, 1000L, Resources.MEMORY, 1000L));

    private static List<Left> departures(Timeline timeline, RandomGenerator random) {
        List<Left> departures = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            int node = random.nextInt(NODES);
            long from = random.nextInt(5) == 0 ? Long.MIN_VALUE : RandomClusters.NOW + random.nextLong(80);
            long to = from == Long.MIN_VALUE ? Long.MAX_VALUE : from + 1 + random.nextLong(40);
            String name = timeline.nodes().get(node).node().name();
            departures.add(new Left(new RoomDeparture(null, name, from, to), node));
        }
        return departures;
    }

    /** Whether a pod that starts at a second has room and is on the stretch, turnover included. */
    private static boolean isUse(Timeline timeline, DepartedRoom room, int stretch, long second, long seconds) {
        return second < room.to(stretch)
                && second + seconds + timeline.turnover() > room.from(stretch)
                && timeline.nodes().get(room.node(stretch)).starts(REQUEST, seconds, second, second) != null;
    }

    @Test
    void staysTellEverySecondFromWhichOnAPodHasRoomOnAStretchAndNoOther() {
        int some = 0;
        int none = 0;
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            Timeline timeline =
                    new Timeline(new RandomClusters(random).cluster(NODES), RandomClusters.NOW, random.nextInt(3));
            DepartedRoom room = new DepartedRoom(departures(timeline, random), timeline);
            long seconds = 1 + random.nextLong(30);
            long length = seconds + timeline.turnover();

            DepartedRoom.Stays stays = room.stays(REQUEST);

            int count = stays.noShorterThan(length);
            for (int stretch = 0; stretch < room.size(); stretch++) {
                int here = stretch;
                for (long t = RandomClusters.NOW; t < RandomClusters.NOW + 150; t++) {
                    long second = t;
                    boolean told = IntStream.range(0, count)
                            .anyMatch(rank -> stays.stretch(rank) == here
                                    && stays.mayReach(rank, second, second, length, length)
                                    && stays.first(rank, length) <= second
                                    && second <= stays.last(rank, length));
                    assertThat(told)
                            .as("seed %d, stretch %d, second %d", seed, here, t)
                            .isEqualTo(isUse(timeline, room, here, t, seconds));
                    some += told ? 1 : 0;
                    none += told ? 0 : 1;
                }
            }
        }
        assertThat(some).isGreaterThan(2000);
        assertThat(none).isGreaterThan(2000);
    }
}
