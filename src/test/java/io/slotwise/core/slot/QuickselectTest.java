package io.slotwise.core.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuickselectTest {
    private record Weighted(long value, int weight) {}

    @Test
    void theSmallestNumbersOfAWeightAreThoseOfASortedList() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            int count = 1 + random.nextInt(40);
            int range = 1 + random.nextInt(60);
            List<Weighted> numbers = IntStream.range(0, count)
                    .mapToObj(_ -> new Weighted(random.nextInt(range), random.nextInt(4)))
                    .toList();
            long all = numbers.stream().mapToLong(Weighted::weight).sum();
            if (all > 0) {
                assertSelects(numbers, 1 + random.nextLong(all));
            }
        }
    }

    /** Each median of three leaves nearly all numbers, so that the rest is sorted. */
    @Test
    void badPivotsGiveTheSameNumber() {
        int half = 500;
        List<Weighted> numbers = IntStream.range(0, 2 * half)
                .mapToObj(
                        i -> new Weighted(i < half ? (i % 2 == 0 ? i + 1 : half + i) : 2L * (i - half + 1), 1 + i % 3))
                .toList();

        for (long weight : List.of(1L, 700L, 1500L, 1990L)) {
            assertSelects(numbers, weight);
        }
    }

    private static void assertSelects(List<Weighted> numbers, long weight) {
        long[] values = numbers.stream().mapToLong(Weighted::value).toArray();
        int[] weights = numbers.stream().mapToInt(Weighted::weight).toArray();

        long selected = Quickselect.smallest(values, weights, values.length, weight);

        assertThat(selected).isEqualTo(sorted(numbers, weight));
        assertThat(Arrays.stream(weights).sum())
                .isEqualTo(numbers.stream().mapToInt(Weighted::weight).sum());
    }

    private static long sorted(List<Weighted> numbers, long weight) {
        long left = weight;
        for (Weighted number : numbers.stream()
                .sorted(Comparator.comparingLong(Weighted::value))
                .toList()) {
            left -= number.weight();
            if (left <= 0) {
                return number.value();
            }
        }
        throw new AssertionError("The numbers weigh too little.");
    }
}
