package io.slotwise.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactSumTest {
    private static ExactSum of(double... values) {
        return DoubleStream.of(values).boxed().reduce(ExactSum.ZERO, ExactSum::plus, ExactSum::plus);
    }

    @Test
    void theIntervalIsStudentsAroundTheMean() {
        // By hand: mean 5, deviations squared 9 + 1 + 1 + 9 = 20, s^2 = 20 / 3, error = sqrt(20 / 12) = 1.290994,
        // t(0.975, 3) = 3.182446.
        ExactSum sum = of(2, 4, 6, 8);

        assertThat(sum.mean()).isEqualTo(5);
        assertThat(sum.halfWidth()).isCloseTo(3.182446 * 1.290994, within(1e-4));
    }

    @Test
    void manyObservationsHaveTheNormalIntervalNearly() {
        Random random = new Random(7);
        ExactSum sum = of(IntStream.range(0, 20_000)
                .mapToDouble(_ -> 10 + 3 * random.nextGaussian())
                .toArray());

        assertThat(sum.mean()).isCloseTo(10, within(0.1));
        assertThat(sum.halfWidth()).isCloseTo(1.96 * 3 / Math.sqrt(20_000), within(0.001));
    }

    @Test
    void oneObservationHasNoInterval() {
        assertThat(of(3).halfWidth()).isNull();
        assertThat(of(3, 3).halfWidth()).isZero();
    }

    @Test
    void theOrderOfObservationsAndPartsDoesNotShow() {
        ExactSum whole = of(0.1, 0.7, 1e9, -3.3, 0.2);

        assertThat(of(1e9, 0.2, -3.3, 0.1, 0.7)).isEqualTo(whole);
        assertThat(of(0.2, -3.3).plus(of(0.7, 0.1)).plus(of(1e9))).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 1e13})
    void numbersOutsideTheUsualRangeAreRefused(double value) {
        assertThatThrownBy(() -> ExactSum.ZERO.plus(value))
                .hasMessageContaining(Double.toString(value))
                .hasMessageContaining("must be a finite number");
    }
}
