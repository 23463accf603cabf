package io.slotwise.lab.simulation.grid;

import java.util.Comparator;

/**
 * The order of the gangs in a cluster's queues. A gang starts when all its processors are idle, possibly before gangs
 * that precede it.
 *
 * <p>Source: Pinto et al., "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems" (2014),
 * section V, after H. D. Karatza, "Performance of gang scheduling strategies in a parallel system" (2009).
 */
public enum GangOrder {
    /** Adapted first come first served: in the order of arrival. */
    AFCFS,
    /** Largest gang first served: more tasks first, then in the order of arrival. */
    LGFS;

    Comparator<GridJob> order() {
        Comparator<GridJob> arrival = Comparator.comparingLong(GridJob::number);
        return switch (this) {
            case AFCFS -> arrival;
            case LGFS -> Comparator.comparingInt(GridJob::tasks).reversed().thenComparing(arrival);
        };
    }
}
