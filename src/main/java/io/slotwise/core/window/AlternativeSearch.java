package io.slotwise.core.window;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.SlotTerms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A gang that searches for windows.
 *
 * @param incumbentWindow the promised window, whose room is taken in the timeline, or null
 */
public record AlternativeSearch(
        Gang gang,
        SlotSelection selection,
        SlotTerms terms,
        @Nullable Window incumbentWindow,
        long leastGain) {
    public AlternativeSearch(Gang gang, SlotSelection selection, SlotTerms terms) {
        this(gang, selection, terms, null, 0);
    }

    /** Returns the search for repeated use while room only decreases, see {@link SlotSelection#repeated}. */
    public AlternativeSearch repeated() {
        return new AlternativeSearch(gang, selection.repeated(), terms, incumbentWindow, leastGain);
    }

    /** Returns the search for alternatives to the first one, see {@link SlotSelection#further}. */
    public AlternativeSearch further() {
        return new AlternativeSearch(gang, selection.further(), terms, incumbentWindow, leastGain);
    }

    /** Returns the best window, or for a promised gang one that may replace its own, whose room counts as free. */
    public Optional<Window> next(Timeline timeline) {
        if (incumbentWindow == null) {
            return selection.best(
                    new WindowRequest(gang.criterion(), terms, gang.budget().limit(), null), timeline, gang);
        }
        return selection
                .best(
                        new WindowRequest(
                                gang.criterion(),
                                terms.within(incumbentWindow.start(), incumbentWindow.end()),
                                incumbentWindow.cost().min(gang.budget().limit()),
                                incumbentWindow),
                        timeline,
                        gang)
                .filter(window -> window.improves(incumbentWindow, gang, leastGain));
    }

    /** Returns whether a window found earlier still has room. Leaves the timeline unchanged. */
    public boolean isFree(Window window, Timeline timeline) {
        if (!gang.hasRules()) {
            return window.fitsInPlaceOf(incumbentWindow, timeline, gang);
        }
        if (incumbentWindow != null) {
            incumbentWindow.vacate(timeline, gang);
        }
        boolean free = window.fits(timeline, gang);
        if (incumbentWindow != null) {
            incumbentWindow.occupy(timeline, gang);
        }
        return free;
    }
}
