package io.slotwise.kubernetes.watch;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The durations of watches, and their clock.
 *
 * @param shortest the shortest time-out of a watch
 * @param brief the time-out of a watch after a doubt
 * @param grace the time by which a watch outlives its time-out before it counts as hanging
 * @param echo the time after which a silent watch that lacks a write of this program is in doubt
 * @param lookAgain the shortest interval between two lookups of served kinds of other projects
 * @param patience the longest wait for a kind of another project
 * @param nanos a monotonic clock, nanoseconds; while it does not change no watch ever hangs
 */
@RecordBuilder
public record WatchTiming(
        Duration shortest,
        Duration longest,
        Duration brief,
        Duration grace,
        Duration echo,
        Duration lookAgain,
        Duration patience,
        LongSupplier nanos)
        implements WatchTimingBuilder.With {
    public static final WatchTiming DEFAULT = new WatchTiming(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(15),
            System::nanoTime);

    /** Returns the time-out of the next watch, in whole seconds. It differs between watches, except after a doubt. */
    Duration timeout(boolean doubted) {
        long more = longest.minus(shortest).toSeconds();
        return doubted
                ? brief
                : shortest.plusSeconds(ThreadLocalRandom.current().nextLong(more + 1));
    }

    /**
     * Returns how long a proof holds: as long as a hanging watch, a brief hanging watch and a list may take. So hanging
     * watches stop nothing as long as lists are answered.
     */
    Duration holds() {
        return longest.plus(grace).plus(brief).plus(grace).plus(grace);
    }
}
