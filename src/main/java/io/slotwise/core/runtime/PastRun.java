package io.slotwise.core.runtime;

import io.slotwise.core.time.Durations;
import java.util.Comparator;

/**
 * A run that has ended by itself, its work done.
 *
 * @param id which run; no other one of its workload has it
 * @param seconds how long it was on a node of performance 1, from 1 to {@link Durations#LONGEST}
 * @param planned how long it was to be at most, in the same seconds; 0: it is not known
 */
public record PastRun(long endedAt, String id, long seconds, long planned) implements Comparable<PastRun> {
    /** The longest id, characters. */
    public static final int LONGEST_ID = 64;

    private static final Comparator<PastRun> ORDER =
            Comparator.comparingLong(PastRun::endedAt).thenComparing(PastRun::id);

    public PastRun {
        if (seconds < 1 || seconds > Durations.LONGEST) {
            throw new IllegalArgumentException(
                    "The seconds (%d) of run (%s) must be between 1 and %d.".formatted(seconds, id, Durations.LONGEST));
        }
        if (planned < 0 || planned > Durations.LONGEST) {
            throw new IllegalArgumentException("The planned seconds (%d) of run (%s) must be between 0 and %d."
                    .formatted(planned, id, Durations.LONGEST));
        }
        if (id.isEmpty() || id.length() > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "The id (%s) of a run must have 1 to %d characters.".formatted(id, LONGEST_ID));
        }
    }

    /** A run of which it is not known how long it was to be. */
    public PastRun(long endedAt, String id, long seconds) {
        this(endedAt, id, seconds, 0);
    }

    /** The part of its planned runtime that it used, millionths, the whole at most; only if that is known. */
    int used() {
        return (int) Math.min(Prediction.ONE, seconds * Prediction.ONE / planned);
    }

    @Override
    public int compareTo(PastRun other) {
        return ORDER.compare(this, other);
    }
}
