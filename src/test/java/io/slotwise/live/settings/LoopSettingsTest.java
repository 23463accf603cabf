package io.slotwise.live.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings with a grace of a minute and without turnover. */
class LoopSettingsTest {
    private static final long START = 1_000_000;

    @ParameterizedTest
    @CsvSource(textBlock = """
            # runtime, late by, held for so long past its end
            3600,   -1,   0
            3600,    0,  60
            3600,   59,  60
            3600,   60, 120
            3600, 3599, 3600
            10,     -1,   0
            10,      0,  10
            10,      9,  10
            10,     10,  30
            10,     30,  70
            10,     70, 130
            10,    129, 130
            10,    130, 190
            0,       0,   1
            0,       1,   3
            """)
    void podThatRunsLongerHoldsItsRoomForLongerEachTime(long runtime, long late, long more) {
        long expected = START + runtime;

        assertThat(LoopSettings.EXACT.graced(START, expected, expected + late)).isEqualTo(expected + more);
    }

    @ParameterizedTest
    @CsvSource({"1", "7", "10", "59", "60", "61", "100000"})
    void theRoomOfARunningGangIsNeverTakenForFree(long runtime) {
        long expected = START + runtime;
        for (long late = 0; late < 1_000; late++) {
            assertThat(LoopSettings.EXACT.graced(START, expected, expected + late))
                    .isGreaterThan(expected + late);
        }
    }
}
