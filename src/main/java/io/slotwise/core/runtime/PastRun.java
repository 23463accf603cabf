package io.slotwise.core.runtime;

import io.slotwise.core.time.Durations;
import java.util.Comparator;

/**
 * A run that ended by itself with its work done.
 *
 * @param id unique among the runs of its workload
 * @param seconds the runtime on a node of performance 1, from 1 to {@link Durations#LONGEST}
 * @param planned the planned runtime, in the same seconds, or 0 if unknown
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

    public PastRun(long endedAt, String id, long seconds) {
        this(endedAt, id, seconds, 0);
    }

    /** Returns the used part of a known planned runtime, millionths, at most the whole. */
    int used() {
        return (int) Math.min(Prediction.ONE, seconds * Prediction.ONE / planned);
    }

    @Override
    public int compareTo(PastRun other) {
        return ORDER.compare(this, other);
    }
}
