package io.slotwise.core.runtime;

import io.slotwise.core.time.Durations;
import java.util.Comparator;

/**
 * A run that has ended by itself, its work done.
 *
 * @param endedAt when, seconds since the epoch
 * @param id which run; no other one of its workload has it
 * @param seconds how long it was on a node of performance 1, from 1 to {@link Durations#LONGEST}
 */
public record PastRun(long endedAt, String id, long seconds) implements Comparable<PastRun> {
    /** The longest id, characters. */
    public static final int LONGEST_ID = 64;

    private static final Comparator<PastRun> ORDER =
            Comparator.comparingLong(PastRun::endedAt).thenComparing(PastRun::id);

    public PastRun {
        if (seconds < 1 || seconds > Durations.LONGEST) {
            throw new IllegalArgumentException(
                    "The seconds (%d) of run (%s) must be between 1 and %d.".formatted(seconds, id, Durations.LONGEST));
        }
        if (id.isEmpty() || id.length() > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "The id (%s) of a run must have 1 to %d characters.".formatted(id, LONGEST_ID));
        }
    }

    @Override
    public int compareTo(PastRun other) {
        return ORDER.compare(this, other);
    }
}
