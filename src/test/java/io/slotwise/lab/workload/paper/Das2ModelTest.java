package io.slotwise.lab.workload.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class Das2ModelTest {
    private static final double BUSY_DAY = 23.375;

    private static final int MANY = 200_000;

    private static Das2Model model(double scale) {
        return new Das2Model(
                scale, RandomGeneratorFactory.of("L64X128MixRandom").create(7));
    }

    @Test
    void gapsHaveTheMeanOfTheirWeibullDistribution() {
        Das2Model model = model(BUSY_DAY);
        long last = 0;
        for (int i = 0; i < MANY; i++) {
            long arrival = model.arrival();
            assertThat(arrival).isGreaterThanOrEqualTo(last);
            last = arrival;
        }

        // 23.375 Gamma(1 + 1 / 0.522)
        assertThat((double) last / MANY).isBetween(42.0, 44.5);
    }

    @Test
    void sizesPreferPowersOfTwo() {
        Das2Model model = model(BUSY_DAY);
        int[] sizes = IntStream.range(0, MANY).map(_ -> model.processors()).toArray();

        assertThat(Arrays.stream(sizes).min().orElseThrow()).isEqualTo(1);
        assertThat(Arrays.stream(sizes).max().orElseThrow()).isEqualTo(128);
        long powers =
                Arrays.stream(sizes).filter(size -> Integer.bitCount(size) == 1).count();
        assertThat((double) powers / MANY).isBetween(0.80, 0.92);
        long serial = Arrays.stream(sizes).filter(size -> size == 1).count();
        assertThat((double) serial / MANY).isBetween(0.022, 0.026);
    }

    @Test
    void aScaleThatIsNotPositiveIsRefused() {
        assertThatThrownBy(() -> model(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The scale of the gaps (0.0 s) must be positive.");
    }
}
