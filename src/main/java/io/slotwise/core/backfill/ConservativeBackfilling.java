package io.slotwise.core.backfill;

import io.slotwise.core.window.Window;
import io.slotwise.core.work.SpeculativeQueue;
import io.slotwise.core.work.SpeculativeQueue.Desk;
import io.slotwise.core.work.Workers;
import java.util.List;
import java.util.Optional;

/**
 * Conservative backfilling: each gang, in queue order, gets the earliest window beside all windows given before, so
 * that none delays one before it.
 *
 * <p>The start comes first; of the windows at that second the gang gets the best by its own criterion, which is what
 * nodes of different speeds and prices add to the scheme. A gang that prefers a start or a cost gets the nearest window
 * instead. One or two searches for each gang, those of
 * several gangs side by side, see {@link SpeculativeQueue}: what is granted takes room and money away, so an earliest
 * window that can still be had is still the earliest.
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
