package io.slotwise.core.planner.improve;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a {@link Neighbourhood} while it is repaired. Room and money are taken and given up in the bookings. A
 * caller that drops the repair rolls these back.
 */
final class RepairedWindows {
    private final Bookings bookings;
    private final Neighbourhood neighbourhood;
    private final Set<PlanningGang> staying;
    private final Map<PlanningGang, Window> windows = new LinkedHashMap<>();
    private long looks;

    /**
     * Takes away the windows of all gangs but the staying ones.
     *
     * @param staying the gangs that keep their former windows until they get others
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

    long looks() {
        return looks;
    }

    boolean stays(PlanningGang gang) {
        return staying.contains(gang);
    }

    /** Returns the window before the repair, of a gang that had one. */
    static Window former(PlanningGang gang) {
        return Objects.requireNonNull(gang.window());
    }

    /** Returns the new window, or null if there is none yet. */
    @Nullable
    Window window(PlanningGang gang) {
        return windows.get(gang);
    }

    boolean moves(PlanningGang gang) {
        return !Objects.equals(gang.window(), window(gang));
    }

    /** Takes the room and money of a window that replaces the gang's present one. */
    void put(PlanningGang gang, Window window) {
        clear(gang);
        bookings.take(gang.gang, window);
        windows.put(gang, window);
    }

    void clear(PlanningGang gang) {
        bookings.giveUp(gang.gang, windows.remove(gang));
    }

    boolean isFree(PlanningGang gang) {
        return bookings.holds(gang.gang, former(gang));
    }

    /** Returns where a gang's window may lie to keep what it must. */
    SlotTerms terms(PlanningGang gang) {
        PromiseBound bound = neighbourhood.bound(gang);
        return bound == null ? gang.terms() : gang.terms().within(bound.start(), bound.end());
    }

    Cost most(PlanningGang gang) {
        PromiseBound bound = neighbourhood.bound(gang);
        Cost limit = gang.gang.budget().limit();
        return bound == null ? limit : limit.min(bound.cost());
    }

    /** Returns the best window that keeps what it must and that the namespace can pay; null if there is none. */
    @Nullable
    Window best(PlanningGang gang, Criterion criterion) {
        return best(gang, search(gang), criterion, terms(gang), most(gang));
    }

    /** Returns the gang's exact search with what its namespace has left. */
    SlotSelection search(PlanningGang gang) {
        return gang.search(bookings.balances());
    }

    /**
     * Returns the best window that keeps the gang's promise and that its namespace can pay, or null. The search may
     * weigh windows differently from the gang. A gang that minimizes a figure of the window's shape gets no more of
     * that figure than before. A gang with preferences that was promised a window without slack gets no further from
     * them.
     */
    @Nullable
    Window best(PlanningGang gang, SlotSelection selection, Criterion criterion, SlotTerms terms, Cost maxCost) {
        looks += gang.eligibility().getFirst().offers().size();
        Gang askingGang = gang.gang;
        boolean mayGrow = gang.window() == null
                || !(askingGang.criterion().isOfShape()
                        || (askingGang.criterion() == Criterion.PREFERENCE && gang.promised() && gang.bound() == null));
        Window ownWindow = mayGrow || criterion != askingGang.criterion() ? null : former(gang);
        return terms.latest() < terms.earliest()
                ? null
                : selection
                        .best(new WindowRequest(criterion, terms, maxCost, ownWindow), RestoredCapacity.NONE)
                        .filter(bookings::pay)
                        .filter(foundWindow -> mayGrow
                                || foundWindow.value(askingGang) <= former(gang).value(askingGang))
                        .orElse(null);
    }
}
