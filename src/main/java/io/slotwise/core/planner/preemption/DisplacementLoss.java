package io.slotwise.core.planner.preemption;

import io.slotwise.core.money.Cost;
import java.util.Comparator;

/**
 * What is lost by displacing gangs. Losses are compared in the order of their components: a gang that begins anew is
 * touched only where no set of others will do, then the money that was spent for nothing counts, then processor time,
 * then promises that move, then pods, and the work that the gangs have lost before. Adding another gang always adds to
 * the loss.
 *
 * @param anew whether any gang has to start again
 * @param spent what gangs that begin anew have paid for this run
 * @param podSeconds of work to be done again, and of restarts
 * @param promises how many published windows move
 * @param pods of all gangs
 * @param before pod-seconds of work that the gangs have lost when they were stopped before
 */
record DisplacementLoss(boolean anew, Cost spent, long podSeconds, int promises, int pods, long before)
        implements Comparable<DisplacementLoss> {
    /** No gang is displaced. */
    static final DisplacementLoss NONE = new DisplacementLoss(false, Cost.ZERO, 0, 0, 0, 0);

    private static final Comparator<DisplacementLoss> ORDER = Comparator.comparing(DisplacementLoss::anew)
            .thenComparing(DisplacementLoss::spent)
            .thenComparingLong(DisplacementLoss::podSeconds)
            .thenComparingInt(DisplacementLoss::promises)
            .thenComparingInt(DisplacementLoss::pods)
            .thenComparingLong(DisplacementLoss::before);

    /** Both. Times since the year 1 of all pods of a cluster fit a long by far. */
    DisplacementLoss plus(DisplacementLoss other) {
        return new DisplacementLoss(
                anew || other.anew,
                spent.plus(other.spent),
                Math.addExact(podSeconds, other.podSeconds),
                promises + other.promises,
                pods + other.pods,
                Math.addExact(before, other.before));
    }

    @Override
    public int compareTo(DisplacementLoss other) {
        return ORDER.compare(this, other);
    }
}
