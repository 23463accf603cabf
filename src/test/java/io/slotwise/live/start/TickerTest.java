package io.slotwise.live.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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
    void aTaskDueInAThousandYearsIsNoFailure() {
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

    @Test
    void wokenItRunsThoughItAskedForALaterInstant() {
        Ticker.Task task = now -> {
            runs.incrementAndGet();
            return now.plusSeconds(3600);
        };
        try (Ticker ticker = new Ticker("asks", Instant::now, task)) {
            ticker.start();
            await().atMost(PATIENCE).until(() -> runs.get() == 1);

            ticker.wake();

            await().atMost(PATIENCE).until(() -> runs.get() == 2);
        }
    }

    @Test
    void aRestingTaskRunsOnceForAllWakeups() {
        Ticker.Task task = now -> {
            runs.incrementAndGet();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            return null;
        };
        try (Ticker ticker = new Ticker("rests", Instant::now, 9, task)) {
            ticker.start();
            await().atMost(PATIENCE).until(() -> runs.get() == 1);
            long begun = System.nanoTime();

            while (System.nanoTime() - begun < Duration.ofMillis(500).toNanos()) {
                ticker.wake();
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }

            // At most one in 20 ms, and the first and the last ones.
            assertThat(runs.get()).isBetween(2, 27);
        }
    }

    @Test
    void anInstantIsKeptByOneThatRests() {
        List<Instant> done = new CopyOnWriteArrayList<>();
        Ticker.Task task = now -> {
            done.add(now);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            return now.plusMillis(12);
        };
        try (Ticker ticker = new Ticker("rests", Instant::now, 1000, task)) {
            ticker.start();
            await().atMost(PATIENCE).until(() -> done.size() >= 5);

            assertThat(done.get(1)).isAfterOrEqualTo(done.get(0).plusMillis(12));
        }
    }

    @Test
    void wokenWhileItRunsItRunsOnceMore() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Ticker.Task task = _ -> {
            if (runs.incrementAndGet() == 1) {
                running.countDown();
                waitFor(goOn);
            }
            return null;
        };
        try (Ticker ticker = new Ticker("is-busy", Instant::now, task)) {
            ticker.start();
            running.await();

            ticker.wake();
            ticker.wake();
            goOn.countDown();

            await().atMost(PATIENCE).until(() -> runs.get() == 2);
            assertThat(ticker.isAlive()).isTrue();
        }
        assertThat(runs).hasValue(2);
    }

    @Test
    void closedItEndsAlthoughItsTaskWaits() {
        CountDownLatch never = new CountDownLatch(1);
        Ticker ticker = new Ticker("waits", Instant::now, _ -> {
            runs.incrementAndGet();
            waitFor(never);
            return null;
        });
        ticker.start();
        await().atMost(PATIENCE).until(() -> runs.get() == 1);

        ticker.close();

        await().atMost(PATIENCE).until(() -> !ticker.isAlive());
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
