package io.slotwise.core.backfill;

import io.slotwise.core.window.Window;
import io.slotwise.core.work.SpeculativeQueue;
import io.slotwise.core.work.SpeculativeQueue.Desk;
import io.slotwise.core.work.Workers;
import java.util.List;
import java.util.Optional;

/**
 * Conservative backfilling: each gang, in queue order, gets the earliest window next to all windows given before, so
 * that none delays an earlier gang.
 *
 * <p>The start comes first. Among the windows at that second the gang gets the best by its own criterion, an addition
 * for nodes of different speeds and prices. A gang that prefers a start or a cost gets the nearest window instead. One
 * or two searches for each gang, those of several gangs in parallel, see {@link SpeculativeQueue}: granted windows take
 * room and money away, so an earliest window that is still available is still the earliest.
 *
 * <p>Source: Mu'alem and Feitelson (2001), section 3; D. Jackson, Q. Snell, M. Clement, "Core Algorithms of the Maui
 * Scheduler", JSSPP 2001.
 */
public final class ConservativeBackfilling {
    private ConservativeBackfilling() {}

    public static void place(List<BackfillRequest> queue, BackfillArbiter arbiter, Workers workers) {
        new SpeculativeQueue<>(workers, new Desk<BackfillRequest, Optional<Window>>() {
                    @Override
                    public Optional<Window> propose(BackfillRequest request) {
                        return request.earliest();
                    }

                    @Override
                    public boolean holds(BackfillRequest request, Optional<Window> window) {
                        return window.isEmpty() || arbiter.admits(request, window.get());
                    }

                    @Override
                    public void accept(BackfillRequest request, Optional<Window> window) {
                        window.ifPresent(grantedWindow -> arbiter.grant(request, grantedWindow));
                    }
                })
                .serve(queue);
    }
}
