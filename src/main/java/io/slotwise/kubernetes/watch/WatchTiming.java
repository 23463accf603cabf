package io.slotwise.kubernetes.watch;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long watches last and are waited for.
 *
 * @param shortest the shortest time-out of a watch
 * @param longest the longest one
 * @param brief the time-out of a watch after a doubt
 * @param grace a watch hangs if it outlives its time-out by this
 * @param echo there is a doubt about a silent watch that has not brought a write of this program for so long
 */
record WatchTiming(Duration shortest, Duration longest, Duration brief, Duration grace, Duration echo) {
    static final WatchTiming DEFAULT = new WatchTiming(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    /** The time-out of the next watch, in whole seconds: those of two watches differ, unless there is a doubt. */
    Duration timeout(boolean doubted) {
        long more = longest.minus(shortest).toSeconds();
        return doubted ? brief : shortest.plusSeconds(ThreadLocalRandom.current().nextLong(more + 1));
    }

    /**
     * How long a proof holds: as long as a watch that hangs, a brief one that hangs, too, and a list may take. So
     * watches that hang stop nothing as long as lists are answered.
     */
    Duration holds() {
        return longest.plus(grace).plus(brief).plus(grace).plus(grace);
    }
}
