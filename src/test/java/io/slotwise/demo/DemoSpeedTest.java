package io.slotwise.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DemoSpeedTest {
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");
    private static final Instant FAR = BEGIN.plus(Duration.ofDays(1));

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aMinutePassesInASecondAtSpeedSixty() {
        DemoSpeed tempo = new DemoSpeed(BEGIN, 60, nanos::get);
        pass(Duration.ofMillis(500));

        assertThat(tempo.now(FAR)).isEqualTo(BEGIN.plusSeconds(30));
        assertThat(tempo.nanosUntil(BEGIN.plusSeconds(30))).isZero();
        assertThat(tempo.nanosUntil(BEGIN.plusSeconds(60)))
                .isEqualTo(Duration.ofMillis(500).toNanos());
    }

    @Test
    void timeStopsAtWhatHasNotHappenedYet() {
        DemoSpeed tempo = new DemoSpeed(BEGIN, 60, nanos::get);
        pass(Duration.ofSeconds(10));

        assertThat(tempo.now(BEGIN.plusSeconds(7))).isEqualTo(BEGIN.plusSeconds(7));
    }

    @Test
    void aStepThatIsALittleLateDelaysNoOther() {
        DemoSpeed tempo = new DemoSpeed(BEGIN, 60, nanos::get);
        for (int minute = 1; minute <= 100; minute++) {
            pass(Duration.ofSeconds(1));
            pass(Duration.ofMillis(minute == 100 ? 0 : 20));
            tempo.reaches(BEGIN.plusSeconds(60L * minute));
            pass(Duration.ofMillis(minute == 100 ? 0 : -20));
        }

        assertThat(tempo.now(FAR)).isEqualTo(BEGIN.plusSeconds(6_000));
    }

    @Test
    void aDemoThatFellBehindIsNotHurried() {
        DemoSpeed tempo = new DemoSpeed(BEGIN, 60, nanos::get);
        pass(Duration.ofHours(9));
        tempo.reaches(BEGIN.plusSeconds(60));

        assertThat(tempo.now(FAR)).isEqualTo(BEGIN.plusSeconds(60));
        assertThat(tempo.nanosUntil(BEGIN.plusSeconds(120)))
                .isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void withoutASpeedNothingWaits() {
        DemoSpeed tempo = new DemoSpeed(BEGIN, 0, nanos::get);

        assertThat(tempo.nanosUntil(FAR)).isZero();
        tempo.reaches(FAR);
        assertThat(tempo.now(FAR.plusSeconds(5))).isEqualTo(FAR);
    }

    @Test
    void aNegativeSpeedIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DemoSpeed(BEGIN, -1, nanos::get))
                .withMessage("The speed (-1) must not be negative.");
    }
}
