package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * How far ahead of the clock a cycle plans its earliest start. A gang that could start at once is to be bound in the very second
 * that it is promised, so that second must still be to come when its window is published, its gates are off and kube-scheduler
 * has run: a fixed part for these, and twice the longest of the last cycles.
 */
public final class Lead {
    private static final Duration FIXED = Duration.ofMillis(700);
    private static final Duration MOST = Duration.ofSeconds(5);
    private static final int REMEMBERED = 8;

    private final ArrayDeque<Duration> cycles = new ArrayDeque<>();

    /** A cycle took this long. */
    public synchronized void took(Duration cycle) {
        cycles.addLast(cycle);
        if (cycles.size() > REMEMBERED) {
            cycles.removeFirst();
        }
    }

    /** The first second in which a window planned at {@code now} may start. */
    public synchronized long firstStart(Instant now) {
        Duration longest = cycles.stream().max(Duration::compareTo).orElse(Duration.ZERO);
        Duration lead = FIXED.plus(longest.multipliedBy(2));
        Instant first = now.plus(lead.compareTo(MOST) > 0 ? MOST : lead);
        return first.getNano() == 0 ? first.getEpochSecond() : first.getEpochSecond() + 1;
    }
}
