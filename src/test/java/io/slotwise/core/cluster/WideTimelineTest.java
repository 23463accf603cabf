package io.slotwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that free capacity is exact for amounts of any size. */
class WideTimelineTest {
    private static final String DISK = "disk";
    private static final int END = 20;

    private record Taken(long amount, Interval interval) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void freeCapacityMatchesExactArithmetic(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        long whole = Long.MAX_VALUE - random.nextInt(3);
        NodeTimeline timeline = new NodeTimeline(
                new Node(
                        "n",
                        Map.of(),
                        List.of(),
                        true,
                        Resources.of(Map.of(DISK, whole, "cpu", 5L)),
                        Performance.REFERENCE,
                        "o",
                        StepFunction.constant(1),
                        List.of()),
                0,
                0);
        List<Taken> taken = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            if (taken.isEmpty() || random.nextInt(5) < 3) {
                long start = random.nextInt(END - 1);
                Taken one = new Taken(
                        random.nextBoolean() ? whole : random.nextLong(whole),
                        new Interval(start, start + 1 + random.nextInt((int) (END - start))));
                taken.add(one);
                timeline.occupy(Resources.of(Map.of(DISK, one.amount())), one.interval());
            } else {
                Taken one = taken.remove(random.nextInt(taken.size()));
                timeline.vacate(Resources.of(Map.of(DISK, one.amount())), one.interval());
            }
            NodeTimeline seen = random.nextInt(4) == 0 ? timeline.copy() : timeline;
            for (long t = 0; t < END; t++) {
                long second = t;
                BigInteger free = taken.stream()
                        .filter(one -> one.interval().start() <= second
                                && second < one.interval().end())
                        .map(one -> BigInteger.valueOf(one.amount()))
                        .reduce(BigInteger.valueOf(whole), BigInteger::subtract);
                long expected = free.max(BigInteger.valueOf(Long.MIN_VALUE)).longValueExact();

                assertThat(seen.leastFree(t, t + 1))
                        .as("second %d of step %d", t, step)
                        .containsExactly(5L, expected);
                assertThat(seen.holds(Resources.of(Map.of(DISK, 1L)), new Interval(t, t + 1)))
                        .isEqualTo(free.signum() >= 0);
            }
        }
    }
}
