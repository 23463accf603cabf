package io.slotwise.core.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartDelaysTest {
    private static StartDelays of(int... seconds) {
        StartDelays delays = StartDelays.NONE;
        for (int one : seconds) {
            delays = delays.with(one);
        }
        return delays;
    }

    @Test
    void withoutObservationsTheStatedDelayHolds() {
        assertThat(StartDelays.NONE.expected(120)).isEqualTo(120);
    }

    @Test
    void aFewLongerDelaysCountAndAFewShorterOnesDoNot() {
        assertThat(of(100, 130, 90).expected(120)).isEqualTo(130);
        assertThat(of(30, 31, 32).expected(120)).isEqualTo(120);
    }

    @Test
    void fromTenOnNineOfTenAreInTime() {
        assertThat(of(30, 31, 32, 33, 34, 35, 36, 37, 38, 500).expected(120)).isEqualTo(38);
        assertThat(of(30, 31, 32, 33, 34, 35, 36, 37, 500, 500).expected(120)).isEqualTo(500);
    }

    @Test
    void theLastTwentyCount() {
        StartDelays delays = StartDelays.NONE;
        for (int i = 1; i <= 1000; i++) {
            delays = delays.with(i);
        }

        assertThat(delays.seen()).hasSize(StartDelays.MOST).endsWith(1000);
        assertThat(delays.expected(1)).isEqualTo(998);
    }

    @Test
    void aNodeThatWasNotReadyCountsTwiceItsWaitAndAtMostAnHour() {
        assertThat(StartDelays.NONE.without(120).expected(120)).isEqualTo(240);
        assertThat(StartDelays.NONE.without(Long.MAX_VALUE).expected(120)).isEqualTo(StartDelays.LONGEST);
        assertThat(StartDelays.NONE.with(-5).seen()).containsExactly(1);
    }

    /** Slow nodes are given up. A quantile of the quick nodes alone would shrink forever. */
    @Test
    void givenUpNodesKeepTheDelayAboveTheTrueNinetiethPercentile() {
        Random random = new Random(1);
        StartDelays delays = StartDelays.NONE;
        int late = 0;
        int all = 4000;
        for (int i = 0; i < all; i++) {
            int takes = 60 + random.nextInt(120);
            long expected = delays.expected(60);
            delays = takes <= expected ? delays.with(takes) : delays.without(expected);
            late += takes <= expected ? 0 : 1;
        }

        assertThat(late).isLessThan(all * 15 / 100);
        assertThat(delays.expected(60)).isBetween(150L, 360L);
    }

    @Test
    void readDelaysAreChecked() {
        assertThatThrownBy(() -> new StartDelays(List.of(0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StartDelays(List.of(StartDelays.LONGEST + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
