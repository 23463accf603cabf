package io.slotwise.core.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatienceTest {
    @ParameterizedTest
    @CsvSource({"20m, 1200", "0s, 0", "50%, 1800", "0%, 0", "1000%, 36000", "0.0001%, 0", "33.3333%, 1199"})
    void isADurationOrAPartOfTheRuntimeRoundedDown(String text, long seconds) {
        assertThat(Patience.parse(text).of(3600)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "50", "-1s", "-1%", "1001%", "1e9%", "0.00001%", "٣%", "99999999999999999%"})
    void anythingElseIsRefusedWithWhatWasExpected(String text) {
        assertThatThrownBy(() -> Patience.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected ");
    }
}
