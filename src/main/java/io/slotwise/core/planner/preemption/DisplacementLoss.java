package io.slotwise.core.planner.preemption;

import io.slotwise.core.money.Cost;
import java.util.Comparator;

/**
 * The loss from displacing gangs. Losses are compared component by component. A gang that starts again from the
 * beginning is displaced only if no other set is enough. Then money spent for nothing counts, then processor time,
 * moved promises, pods, and the work that the gangs lost in earlier stops. Adding a gang always adds to the loss.
 *
 * @param anew whether any gang has to start again from the beginning
 * @param spent what such gangs have paid for this run
 * @param podSeconds the pod-seconds of work to be done again, and of restarts
 * @param promises the number of published windows that move
 * @param pods the pods of all gangs
 * @param before pod-seconds of work that the gangs lost in earlier stops
 */
record DisplacementLoss(boolean anew, Cost spent, long podSeconds, int promises, int pods, long before)
        implements Comparable<DisplacementLoss> {
    static final DisplacementLoss NONE = new DisplacementLoss(false, Cost.ZERO, 0, 0, 0, 0);

    private static final Comparator<DisplacementLoss> ORDER = Comparator.comparing(DisplacementLoss::anew)
            .thenComparing(DisplacementLoss::spent)
            .thenComparingLong(DisplacementLoss::podSeconds)
            .thenComparingInt(DisplacementLoss::promises)
            .thenComparingInt(DisplacementLoss::pods)
            .thenComparingLong(DisplacementLoss::before);

    /** Adds two losses. The pod-seconds of a whole cluster since the year 1 fit a long by far. */
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
