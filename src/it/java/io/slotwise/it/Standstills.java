package io.slotwise.it;

import io.slotwise.it.RunChecker.Disturbance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When the machine itself stood still, so that a test of fractions of a second can be strict and yet judge the program
 * rather than its host: moments in which a thread that wants to run fifty times a second did not for a tenth of a
 * second, and half seconds of which the host of a virtual machine took more than a tenth for others. Nothing is excused
 * that was not measured; load by the programs of the test itself shows in neither.
 */
final class Standstills implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration LATE = Duration.ofMillis(100);
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final double STOLEN = 0.1;

    /** The processor times of Linux; elsewhere only the ticks tell. */
    private static final Path STAT = Path.of("/proc/stat");

    private static final int STEAL = 8;

    private final List<Disturbance> seen = new ArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("standstills").start(this::watch);

    private void watch() {
        Instant period = Instant.now();
        long[] times = processorTimes();
        Instant tick = period;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(TICK);
            } catch (InterruptedException e) {
                return;
            }
            Instant now = Instant.now();
            if (Duration.between(tick, now).compareTo(TICK.plus(LATE)) > 0) {
                add(new Disturbance(tick, now));
            }
            tick = now;
            if (Duration.between(period, now).compareTo(PERIOD) >= 0) {
                long[] before = times;
                times = processorTimes();
                if (times[1] - before[1] > STOLEN * (times[0] - before[0])) {
                    add(new Disturbance(period, now));
                }
                period = now;
            }
        }
    }

    private synchronized void add(Disturbance standstill) {
        seen.add(standstill);
    }

    synchronized List<Disturbance> seen() {
        return List.copyOf(seen);
    }

    /** All that has passed and what the host took of it, in ticks of the kernel. */
    private static long[] processorTimes() {
        if (!Files.isReadable(STAT)) {
            return new long[2];
        }
        try {
            String[] words = Files.readString(STAT)
                    .lines()
                    .findFirst()
                    .orElseThrow()
                    .trim()
                    .split("\\s+", -1);
            long all = 0;
            for (int i = 1; i <= STEAL; i++) {
                all += Long.parseLong(words[i]);
            }
            return new long[] {all, Long.parseLong(words[STEAL])};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
