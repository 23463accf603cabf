package io.slotwise.core.backfill;

import java.util.List;

/**
 * Conservative backfilling: each gang, in queue order, gets the earliest window beside all windows given before, so that none
 * delays one before it.
 *
 * <p>The start comes first; of the windows at that second the gang gets the best by its own criterion, which is what nodes of
 * different speeds and prices add to the scheme. One or two searches for each gang.
 *
 * <p>Source: A. Mu'alem, D. Feitelson, "Utilization, Predictability, Workloads, and User Runtime Estimates in Scheduling the
 * IBM SP2 with Backfilling", IEEE Transactions on Parallel and Distributed Systems 12(6), 2001, section 3; D. Jackson, Q.
 * Snell, M. Clement, "Core Algorithms of the Maui Scheduler", JSSPP 2001.
 */
public final class ConservativeBackfilling {
    private ConservativeBackfilling() {}

    /** Gives windows to these gangs. */
    public static void place(List<Bid> queue, Court court) {
        for (Bid bid : queue) {
            bid.earliest().ifPresent(window -> court.grant(bid, window));
        }
    }
}
