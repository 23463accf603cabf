package io.slotwise.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "90s, 90",
        "1h30m, 5400",
        "168h, 604800",
        "1h1m1s, 3661",
        "0s, 0",
        "100m, 6000",
        "7d, 604800",
        "1d12h, 129600",
        "1d1h1m1s, 90061",
        "3650d, 315360000",
        "PT1H30M, 5400",
        "P1D, 86400",
        "P1DT2H, 93600",
        "PT0S, 0",
        "87600h, 315360000",
        "' 10s ', 10"
    })
    void readsDurations(String text, long seconds) {
        assertThat(Durations.parse(text)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "10",
                "h",
                "1.5h",
                "30m1h",
                "1h1d",
                "1.5d",
                "d",
                "P",
                "P1DT",
                "pt1h",
                "PT1h",
                "-5s",
                "1h 30m",
                "soon",
                "PT",
                "PT1.5S",
                "P1W",
                "PT1H30",
                "1H",
                "9999999999s"
            })
    void refusesDurationsThatAreNotWholeSeconds(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessageStartingWith("expected a duration in whole seconds such as 90s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"87600h1s", "3650d1s", "999999999h", "999999999d", "P3651D"})
    void refusesTooLongDurations(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessage("expected at most 87600h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "PT0S", "0h0m"})
    void refusesNothingWhereSomethingIsNeeded(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parsePositive(text))
                .withMessage("expected a duration of at least 1s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "-PT1S"})
    void refusesNegativeDurations(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessageStartingWith("expected a duration");
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "59, 59s", "3600, 1h", "5400, 1h30m", "3661, 1h1m1s", "86400, 24h"})
    void writesTheShortForm(long seconds, String text) {
        assertThat(Durations.brief(seconds)).isEqualTo(text);
        assertThat(Durations.parse(text)).isEqualTo(seconds);
    }
}
