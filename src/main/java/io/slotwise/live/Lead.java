package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;

/**
 * How far ahead of the clock a cycle plans its earliest start. A gang that could start at once is to be bound in the very second
 * that it is promised, so that second must still be to come when its window is published, its gates are off and kube-scheduler
 * has run: a fixed part for these, twice the longest of the last cycles, and the longest of the last releases. A replica that
 * has just begun knows neither, and is slow until it is warm, so it begins with a guess.
 */
public final class Lead {
    private static final Duration FIXED = Duration.ofMillis(700);
    private static final Duration MOST = Duration.ofSeconds(30);
    private static final int REMEMBERED = 8;

    private static final Duration FIRST_CYCLE = Duration.ofMillis(500);
    private static final Duration FIRST_RELEASE = Duration.ofSeconds(1);

    private final ArrayDeque<Duration> cycles = new ArrayDeque<>(List.of(FIRST_CYCLE));
    private final ArrayDeque<Duration> releases = new ArrayDeque<>(List.of(FIRST_RELEASE));

    /** A cycle took this long. */
    public synchronized void took(Duration cycle) {
        remember(cycles, cycle);
    }

    /** From a release's beginning to its last pod on its way it took this long. */
    public synchronized void released(Duration release) {
        remember(releases, release);
    }

    private static void remember(ArrayDeque<Duration> last, Duration duration) {
        last.addLast(duration);
        if (last.size() > REMEMBERED) {
            last.removeFirst();
        }
    }

    /** The first second in which a window planned at {@code now} may start. */
    public synchronized long firstStart(Instant now) {
        Duration cycle = cycles.stream().max(Duration::compareTo).orElse(Duration.ZERO);
        Duration lead = FIXED.plus(cycle.multipliedBy(2)).plus(release());
        Instant first = now.plus(lead.compareTo(MOST) > 0 ? MOST : lead);
        return first.getNano() == 0 ? first.getEpochSecond() : first.getEpochSecond() + 1;
    }

    /** The longest of the last releases. */
    synchronized Duration release() {
        return releases.stream().max(Duration::compareTo).orElse(Duration.ZERO);
    }
}
