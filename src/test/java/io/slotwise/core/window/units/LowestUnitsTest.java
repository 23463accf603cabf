package io.slotwise.core.window.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LowestUnitsTest {
    @Test
    void sumsTheLowestUnitsAfterEveryChange() {
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            int ranks = 1 + random.nextInt(seed % 4 == 0 ? 9000 : 150);
            long[] keys = LowestUnits.distinct(random.longs(ranks, -50, 100_000).toArray());
            int[] held = new int[keys.length];
            int n = 1 + random.nextInt(20);
            LowestUnits lowest = new LowestUnits(keys, n);
            for (int step = 0; step < 300; step++) {
                int rank = random.nextInt(keys.length);
                int wanted = random.nextInt(3) == 0 ? 0 : random.nextInt(n + 2);
                lowest.add(rank, wanted - held[rank]);
                held[rank] = wanted;

                long[] all = sorted(keys, held, List.of());
                assertThat(lowest.size()).isEqualTo(all.length);
                assertThat(lowest.sum())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(Arrays.stream(all).limit(n).sum());
            }
        }
    }

    @Test
    void sumsTheLowestUnitsTogetherWithOthers() {
        for (int seed = 0; seed < 2000; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            long[] keys =
                    LowestUnits.distinct(random.longs(random.nextInt(12), 0, 60).toArray());
            int[] held = random.ints(keys.length, 0, 4).toArray();
            int n = 1 + random.nextInt(12);
            LowestUnits lowest = new LowestUnits(keys, n);
            for (int i = 0; i < keys.length; i++) {
                lowest.add(i, held[i]);
            }
            int groups = random.nextInt(5);
            long[] otherKeys = random.longs(groups, 0, 60).sorted().toArray();
            long[] others = random.longs(groups, 0, 5).toArray();
            int[] order = IntStream.range(0, groups).toArray();
            List<Long> more = new ArrayList<>();
            for (int g = 0; g < groups; g++) {
                for (long u = 0; u < others[g]; u++) {
                    more.add(otherKeys[g]);
                }
            }

            long sum = lowest.sumWith(others, otherKeys, order);

            long[] all = sorted(keys, held, more);
            assertThat(sum)
                    .as("seed %d", seed)
                    .isEqualTo(
                            all.length < n
                                    ? Long.MAX_VALUE
                                    : Arrays.stream(all).limit(n).sum());
        }
    }

    private static long[] sorted(long[] keys, int[] held, List<Long> others) {
        List<Long> all = new ArrayList<>(others);
        for (int i = 0; i < keys.length; i++) {
            for (int u = 0; u < held[i]; u++) {
                all.add(keys[i]);
            }
        }
        return all.stream().mapToLong(Long::longValue).sorted().toArray();
    }
}
