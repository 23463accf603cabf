package io.slotwise.kubernetes.watch;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * How long watches last and are waited for, and by which clock.
 *
 * @param shortest the shortest time-out of a watch
 * @param brief the time-out of a watch after a doubt
 * @param grace a watch hangs if it outlives its time-out by this
 * @param echo there is a doubt about a silent watch that has not brought a write of this program for so long
 * @param lookAgain the least between two looks at which kinds of other projects are served
 * @param patience how long a kind of another project is waited for
 * @param nanos a clock that only runs forward, nanoseconds; where it does not change no watch ever hangs
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

    /** The time-out of the next watch, in whole seconds: those of two watches differ, unless there is a doubt. */
    Duration timeout(boolean doubted) {
        long more = longest.minus(shortest).toSeconds();
        return doubted
                ? brief
                : shortest.plusSeconds(ThreadLocalRandom.current().nextLong(more + 1));
    }

    /**
     * How long a proof holds: as long as a watch that hangs, a brief one that hangs, too, and a list may take. So
     * watches that hang stop nothing as long as lists are answered.
     */
    Duration holds() {
        return longest.plus(grace).plus(brief).plus(grace).plus(grace);
    }
}
