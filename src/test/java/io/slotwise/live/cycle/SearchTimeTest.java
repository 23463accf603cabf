package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.LoopSettings.MemberLoss;
import io.slotwise.testing.Usual;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** Proves that the search for more alternatives ends at a part of the cycle's period. */
class SearchTimeTest {
    private static final Instant BEGAN = Instant.parse("2030-01-01T00:00:00Z");

    private static boolean stops(int searchTime, Duration after) {
        LoopSettings settings = Usual.settings(
                Policy.EXACT,
                20,
                1,
                3600,
                LoopSettings.Overrun.EXTEND,
                60,
                10,
                MemberLoss.CONTINUE,
                3600,
                900,
                Criterion.START,
                searchTime);
        StopSignal end = settings.searchEnd(BEGAN, InstantSource.fixed(BEGAN.plus(after)));
        return end.stops(7);
    }

    @Test
    void theSearchEndsAtItsPartOfTheCycle() {
        assertThat(stops(250_000, Duration.ofMillis(4999))).isFalse();
        assertThat(stops(250_000, Duration.ofSeconds(5))).isTrue();
        assertThat(stops(1_000_000, Duration.ofMillis(19_999))).isFalse();
        assertThat(stops(1_000_000, Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void withoutAPartItHasAllTheTimeThereIs() {
        assertThat(stops(0, Duration.ofDays(1))).isFalse();
    }
}
