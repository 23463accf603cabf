package io.slotwise.core.planner.improve;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a {@link Neighbourhood} while it is repaired. Room and money are taken and given up in the bookings;
 * who drops a draft rolls these back.
 */
final class RepairedWindows {
    private final Bookings bookings;
    private final Neighbourhood neighbourhood;
    private final Set<PlanningGang> staying;
    private final Map<PlanningGang, Window> windows = new LinkedHashMap<>();
    private long looks;

    /**
     * Takes the windows of all but those that stay.
     *
     * @param staying who has its former window, until it is given another one
     */
    RepairedWindows(Bookings bookings, Neighbourhood neighbourhood, Set<PlanningGang> staying) {
        this.bookings = bookings;
        this.neighbourhood = neighbourhood;
        this.staying = staying;
        for (PlanningGang gang : gangs()) {
            looks++;
            if (stays(gang)) {
                windows.put(gang, former(gang));
            } else {
                bookings.giveUp(gang.gang, gang.window());
            }
        }
    }

    List<PlanningGang> gangs() {
        return neighbourhood.gangs();
    }

    Bookings bookings() {
        return bookings;
    }

    /** How many nodes and windows were looked at. */
    long looks() {
        return looks;
    }

    boolean stays(PlanningGang gang) {
        return staying.contains(gang);
    }

    /** The window before, of a gang that had one. */
    static Window former(PlanningGang gang) {
        return Objects.requireNonNull(gang.window());
    }

    /** The window in the draft; null: none so far. */
    @Nullable
    Window window(PlanningGang gang) {
        return windows.get(gang);
    }

    /** Whether a gang has another window than before. */
    boolean moves(PlanningGang gang) {
        return !Objects.equals(gang.window(), window(gang));
    }

    /** Takes the room and the money of a window, in the place of the one that the gang has. */
    void put(PlanningGang gang, Window window) {
        clear(gang);
        bookings.take(gang.gang, window);
        windows.put(gang, window);
    }

    /** Gives up the window that a gang has, if it has one. */
    void clear(PlanningGang gang) {
        bookings.giveUp(gang.gang, windows.remove(gang));
    }

    /** Whether the former window of a gang that has none is free. */
    boolean isFree(PlanningGang gang) {
        return bookings.holds(gang.gang, former(gang));
    }

    /** Where the windows of a gang may lie to keep what they must. */
    SlotTerms terms(PlanningGang gang) {
        PromiseBound bound = neighbourhood.bound(gang);
        return bound == null ? gang.terms() : gang.terms().within(bound.start(), bound.end());
    }

    /** What they may cost. */
    Cost most(PlanningGang gang) {
        PromiseBound bound = neighbourhood.bound(gang);
        Cost limit = gang.gang.budget().limit();
        return bound == null ? limit : limit.min(bound.cost());
    }

    /** The best window that keeps what it must and that the gang's namespace can pay; null: there is none. */
    @Nullable
    Window best(PlanningGang gang, Criterion criterion) {
        return best(gang, gang.search(), criterion, terms(gang), most(gang));
    }

    /**
     * The same with a search that may weigh the windows otherwise than the gang itself. Who wants a figure of the
     * window's shape least gets no more of it than it had, and who prefers something and was promised a window without
     * slack is no further from it.
     */
    @Nullable
    Window best(PlanningGang gang, WindowSearch search, Criterion criterion, SlotTerms terms, Cost maxCost) {
        looks += gang.eligibility().getFirst().offers().size();
        Gang askingGang = gang.gang;
        boolean mayGrow = gang.window() == null
                || !(askingGang.criterion().isOfShape()
                        || (askingGang.criterion() == Criterion.PREFERENCE && gang.promised() && gang.bound() == null));
        return terms.latest() < terms.earliest()
                ? null
                : search.best(criterion, terms, maxCost)
                        .filter(bookings::pay)
                        .filter(foundWindow -> mayGrow
                                || foundWindow.value(askingGang) <= former(gang).value(askingGang))
                        .orElse(null);
    }
}
