package io.slotwise.core.window;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.SlotTerms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A gang that looks for windows.
 *
 * @param gang which
 * @param search over the nodes that it may use
 * @param terms where its slots may lie
 * @param incumbent the window that it was promised, whose room is taken in the timeline; null: none
 * @param leastGain by how many seconds a window that is better in time only must be earlier than the incumbent
 */
public record AlternativeSearch(
        Gang gang,
        SlotSelection search,
        SlotTerms terms,
        @Nullable Window incumbent,
        long leastGain) {
    /** One that was promised nothing. */
    public AlternativeSearch(Gang gang, SlotSelection search, SlotTerms terms) {
        this(gang, search, terms, null, 0);
    }

    /** The same one, who is asked again and again while room only goes, see {@link SlotSelection#repeated}. */
    public AlternativeSearch repeated() {
        return new AlternativeSearch(gang, search.repeated(), terms, incumbent, leastGain);
    }

    /**
     * The search's window by the gang's own criterion, or for a gang with a promise one that may replace it, its own
     * room counting as free. The timeline does not change.
     */
    public Optional<Window> next(Timeline timeline) {
        if (incumbent == null) {
            return search.best(
                    new WindowRequest(gang.criterion(), terms, gang.budget().limit(), null), timeline, gang);
        }
        return search.best(
                        new WindowRequest(
                                gang.criterion(),
                                terms.within(incumbent.start(), incumbent.end()),
                                incumbent.cost().min(gang.budget().limit()),
                                incumbent),
                        timeline,
                        gang)
                .filter(window -> window.improves(incumbent, gang, leastGain));
    }

    /** Whether there is still room for a window that was found before; the timeline is the same afterwards. */
    public boolean isFree(Window window, Timeline timeline) {
        if (!gang.hasRules()) {
            return window.fitsInPlaceOf(incumbent, timeline, gang);
        }
        if (incumbent != null) {
            incumbent.vacate(timeline, gang);
        }
        boolean free = window.fits(timeline, gang);
        if (incumbent != null) {
            incumbent.occupy(timeline, gang);
        }
        return free;
    }
}
