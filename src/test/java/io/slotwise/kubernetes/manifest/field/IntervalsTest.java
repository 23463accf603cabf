package io.slotwise.kubernetes.manifest.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slotwise.core.time.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalsTest {
    private static final long T = 1_893_456_000L;

    @Test
    void roundsInstantsInTheRequestedDirection() {
        assertThat(Intervals.parseUp("2030-01-01T00:00:00Z")).isEqualTo(T);
        assertThat(Intervals.parseUp("2030-01-01T00:00:00.001Z")).isEqualTo(T + 1);
        assertThat(Intervals.parseDown("2030-01-01T00:00:00.999Z")).isEqualTo(T);
        assertThat(Intervals.parseDown("2030-01-01T01:00:00+01:00")).isEqualTo(T);
    }

    @Test
    void anIntervalHasEverySecondThatItTouches() {
        assertThat(Intervals.parse("2030-01-01T00:00:00.5Z/2030-01-01T00:00:09.5Z"))
                .isEqualTo(new Interval(T, T + 10));
        assertThat(Intervals.parse("2030-01-01T00:00:00Z/PT1M")).isEqualTo(new Interval(T, T + 60));
    }

    @Test
    void listsAreSortedAndJoined() {
        assertThat(Intervals.parseList("2030-01-01T00:02:00Z/PT1M, "
                        + "2030-01-01T00:00:00Z/PT1M,2030-01-01T00:00:30Z/PT1M,2030-01-01T00:00:40Z/PT1S"))
                .containsExactly(new Interval(T, T + 90), new Interval(T + 120, T + 180));
    }

    @ParameterizedTest
    @CsvSource({
        // In winter and in summer, over the hour that is skipped, and over the hour that comes twice.
        "2030-01-01T01:00:00/PT3H, 2030-01-01T00:00:00Z/2030-01-01T03:00:00Z",
        "2030-07-01T01:00:00/2030-07-01T04:00:00, 2030-06-30T23:00:00Z/2030-07-01T02:00:00Z",
        "2030-03-31T01:00:00/2030-03-31T04:00:00, 2030-03-31T00:00:00Z/2030-03-31T02:00:00Z",
        "2030-10-27T01:00:00/PT3H, 2030-10-26T23:00:00Z/2030-10-27T03:00:00Z",
        "2030-03-01T00:00:00/2030-11-01T00:00:00, 2030-02-28T23:00:00Z/2030-10-31T23:00:00Z"
    })
    void anOwnersIntervalGoesByTheClockOfItsZone(String local, String utc) {
        assertThat(Intervals.parseList("CRON_TZ=Europe/Berlin " + local)).isEqualTo(Intervals.parseList(utc));
    }

    @Test
    void anIntervalInTheMissingHourIsEmptyAndInTheDoubleHourComesTwice() {
        assertThat(Intervals.parseList("CRON_TZ=Europe/Berlin 2030-03-31T02:00:00/PT30M"))
                .isEmpty();
        assertThat(Intervals.parseList("CRON_TZ=Europe/Berlin 2030-10-27T02:00:00/PT30M"))
                .isEqualTo(Intervals.parseList("2030-10-27T00:00:00Z/PT30M,2030-10-27T01:00:00Z/PT30M"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2030-01-01", "2030-01-01T00:00:00", "tomorrow", "1893456000"})
    void refusesAnInvalidInstant(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Intervals.parseUp(text))
                .withMessage("expected an RFC 3339 instant such as 2030-01-01T08:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "2030-01-01T00:00:00Z", "x/PT1H", "2030-01-01T00:00:00Z/x", "2030-01-01T00:00:00Z/PT1H,"
            })
    void refusesAnInvalidInterval(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Intervals.parseList(text))
                .withMessageStartingWith("expected an ISO 8601 interval such as");
    }
}
