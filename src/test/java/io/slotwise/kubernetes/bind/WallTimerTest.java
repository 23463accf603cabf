package io.slotwise.kubernetes.bind;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WallTimerTest {
    @Test
    void runsATaskAtItsInstantAndNotBefore() throws Exception {
        InstantSource clock = InstantSource.system();
        try (WallTimer timer = new WallTimer(clock, Runnable::run)) {
            for (int i = 1; i <= 20; i++) {
                Instant when = clock.instant().plusMillis(i).plusNanos(300_000);
                CompletableFuture<Instant> ran = new CompletableFuture<>();
                timer.at(when, () -> ran.complete(clock.instant()));

                Instant at = ran.get(5, TimeUnit.SECONDS);

                assertThat(at).isBetween(when, when.plusMillis(500));
            }
        }
    }

    @Test
    void waitsOnWhenTheClockIsSetBack() throws Exception {
        InstantSource system = InstantSource.system();
        Instant begun = system.instant();
        // From 20 ms on this clock is 60 ms behind the one that measures the wait.
        InstantSource setBack = () -> {
            Instant now = system.instant();
            return now.isBefore(begun.plusMillis(20)) ? now : now.minusMillis(60);
        };
        try (WallTimer timer = new WallTimer(setBack, Runnable::run)) {
            CompletableFuture<Instant> ran = new CompletableFuture<>();
            timer.at(begun.plusMillis(50), () -> ran.complete(system.instant()));

            assertThat(Duration.between(begun, ran.get(5, TimeUnit.SECONDS)))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(110));
        }
    }

    @Test
    void runsWhatIsOverdueAtOnce() {
        InstantSource clock = InstantSource.system();
        try (WallTimer timer = new WallTimer(clock, Runnable::run)) {
            CompletableFuture<String> ran = new CompletableFuture<>();

            timer.at(clock.instant().minusSeconds(1), () -> ran.complete("ran"));

            assertThat(ran).isCompletedWithValue("ran");
        }
    }
}
