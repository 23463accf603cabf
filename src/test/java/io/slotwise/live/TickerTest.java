package io.slotwise.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TickerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicReference<Duration> step = new AtomicReference<>(Duration.ZERO);
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aClockThatIsSetBackMakesNoWaitLonger() {
        Ticker.Task task = now -> {
            runs.incrementAndGet();
            return now.plusMillis(300);
        };
        try (Ticker ticker = new Ticker("steps-back", () -> Instant.now().plus(step.get()), task)) {
            ticker.start();
            await().atMost(PATIENCE).until(() -> runs.get() >= 1);

            step.set(Duration.ofHours(-1));

            int before = runs.get();
            await().atMost(PATIENCE).until(() -> runs.get() >= before + 2);
            assertThat(ticker.isAlive()).isTrue();
        }
    }

    @Test
    void anErrorEndsNoThread() {
        Ticker.Task task = now -> {
            if (runs.incrementAndGet() == 1) {
                throw new AssertionError("on purpose");
            }
            return null;
        };
        try (Ticker ticker = new Ticker("fails", Instant::now, task)) {
            ticker.start();

            await().atMost(PATIENCE).until(() -> runs.get() >= 2);
            assertThat(ticker.isAlive()).isTrue();
        }
    }

    @Test
    void aTaskThatWantsToBeDoneInAThousandYearsIsNoFailure() {
        Ticker.Task task = now -> {
            runs.incrementAndGet();
            return Instant.parse("9999-12-31T23:59:59Z");
        };
        try (Ticker ticker = new Ticker("far", Instant::now, task)) {
            ticker.start();
            await().atMost(PATIENCE).until(() -> runs.get() >= 1);
            ticker.wake();
            await().atMost(PATIENCE).until(() -> runs.get() >= 2);

            await().during(Ticker.AFTER_FAILURE.multipliedBy(2))
                    .atMost(PATIENCE)
                    .until(() -> runs.get() == 2);
        }
    }
}
