package io.slotwise.lab.simulation.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.lab.simulation.metric.PriceCurve.Offer;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PriceCurveTest {
    private static Offer offer(int percent, int... incomes) {
        List<BigDecimal> money =
                IntStream.of(incomes).mapToObj(BigDecimal::valueOf).toList();
        return new Offer(percent, money, money, Collections.nCopies(incomes.length, 1.0));
    }

    @Test
    void pricesAreToldApartByTheDifferencesOfTheSameReplications() {
        // Incomes differ more between replications than between prices.
        PriceCurve curve =
                new PriceCurve(List.of(offer(90, 98, 198, 299), offer(100, 101, 200, 302), offer(110, 99, 203, 298)));

        assertThat(curve.best()).isEqualTo(1);
        assertThat(curve.income(1).mean()).isEqualTo(201);
        assertThat(curve.income(1).halfWidth().orElseThrow()).isGreaterThan(200);
        assertThat(curve.rivals(0)).isFalse();
        assertThat(curve.rivals(1)).isFalse();
        assertThat(curve.rivals(2)).isTrue();
        assertThat(List.of(curve.won(0), curve.won(1), curve.won(2))).containsExactly(0L, 2L, 1L);
        // Differences 3, 2, 3: their mean and Student's t for three samples times the standard error.
        assertThat(curve.less(0).mean()).isCloseTo(8.0 / 3, within(1e-12));
        assertThat(curve.less(0).halfWidth().orElseThrow()).isCloseTo(4.302652730 / 3, within(1e-6));
    }

    @Test
    void aSingleReplicationShowsNoDifferences() {
        PriceCurve curve = new PriceCurve(List.of(offer(90, 5), offer(100, 5)));

        assertThat(curve.best()).isZero();
        assertThat(curve.rivals(1)).isFalse();
        assertThat(curve.income(0).halfWidth()).isEmpty();
    }

    @Test
    void pricesOfOtherReplicationsAreRefused() {
        assertThatThrownBy(() -> new PriceCurve(List.of(offer(90, 5), offer(100, 5, 6))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[90, 100]");
    }
}
