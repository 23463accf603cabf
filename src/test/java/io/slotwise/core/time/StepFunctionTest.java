package io.slotwise.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class StepFunctionTest {
    @Test
    void aSumIsTheSumAtEverySecond() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        for (int trial = 0; trial < 200; trial++) {
            List<StepFunction> functions = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                StepFunction.Builder function = StepFunction.startingAt(random.nextInt(-5, 6));
                for (int t = random.nextInt(6); t < 20; t += 1 + random.nextInt(6)) {
                    function.then(t, random.nextInt(-5, 6));
                }
                functions.add(function.build());
            }

            StepFunction sum = StepFunction.sum(functions);
            StepFunction mean = StepFunction.mean(functions);

            for (long t = -2; t < 22; t++) {
                long second = t;
                long expected = functions.stream()
                        .mapToLong(function -> function.at(second))
                        .sum();
                assertThat(sum.at(t)).isEqualTo(expected);
                assertThat(mean.at(t)).isEqualTo(Math.floorDiv(expected, (long) functions.size()));
            }
        }
    }

    @Test
    void aSumThatPassesALongIsRefused() {
        List<StepFunction> huge = List.of(StepFunction.constant(Long.MAX_VALUE), StepFunction.constant(1));

        assertThatThrownBy(() -> StepFunction.sum(huge)).isInstanceOf(ArithmeticException.class);
    }
}
