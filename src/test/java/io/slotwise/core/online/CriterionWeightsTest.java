package io.slotwise.core.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CriterionWeightsTest {
    @Test
    void gangsOwnWeightsAreScaledToWhatFragmentationLeaves() {
        CriterionWeights scaled = CriterionWeights.DEFAULT.with(OptionalDouble.of(0.9), OptionalDouble.of(0.3));

        assertThat(scaled.time()).isCloseTo(0.6, within(1e-12));
        assertThat(scaled.cost()).isCloseTo(0.2, within(1e-12));
        assertThat(scaled.fragmentation()).isEqualTo(0.2);
    }

    @Test
    void weightThatTheGangDoesNotGiveIsThePolicys() {
        CriterionWeights scaled = CriterionWeights.DEFAULT.with(OptionalDouble.of(1), OptionalDouble.empty());

        assertThat(scaled.time()).isCloseTo(0.8 / 1.4, within(1e-12));
        assertThat(scaled.cost()).isCloseTo(0.8 * 0.4 / 1.4, within(1e-12));
    }

    @Test
    void weightsThatSayNothingLeaveThePolicysAlone() {
        assertThat(CriterionWeights.DEFAULT.with(OptionalDouble.empty(), OptionalDouble.empty()))
                .isEqualTo(CriterionWeights.DEFAULT);
        assertThat(CriterionWeights.DEFAULT.with(OptionalDouble.of(0), OptionalDouble.of(0)))
                .isEqualTo(CriterionWeights.DEFAULT);
    }

    @Test
    void refusesWeightsThatAreNone() {
        assertThatThrownBy(() -> new CriterionWeights(0.5, 0.5, 0.5)).hasMessageContaining("sum to 1");
        assertThatThrownBy(() -> new CriterionWeights(1.5, -0.5, 0)).hasMessageContaining("not be negative");
        assertThatThrownBy(() -> new CriterionWeights(Double.NaN, 0.5, 0.5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CriterionWeights.DEFAULT.with(OptionalDouble.of(-1), OptionalDouble.empty()))
                .hasMessageContaining("[0, 1]");
    }
}
