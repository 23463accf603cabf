package io.slotwise.core.planner.improve;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Removes all movable windows. Each gang then gets the best window that keeps its promise. Finally the gangs that
 * stayed search for better windows, in the order of their starts: where nodes are alike and a pod takes a whole node,
 * intervals find a node each in that order. Short gangs placed first go before long ones that can wait for them.
 *
 * <p>If gangs use only a part of their runtimes ({@code expected-use}), a gang of the criterion {@code value} weighs
 * that part of a cost against delay. Saving money that will not be paid is not worth a wait. A window's price and limit
 * stay whole.
 *
 * <p>Sources: the compression of A. W. Mu'alem, D. G. Feitelson, "Utilization, Predictability, Workloads, and User
 * Runtime Estimates in Scheduling the IBM SP2 with Backfilling", IEEE Transactions on Parallel and Distributed Systems
 * 12(6), 2001, section 2; U. I. Gupta, D. T. Lee, J. Y.-T. Leung, "An Optimal Solution for the Channel-Assignment
 * Problem", IEEE Transactions on Computers C-28(11), 1979.
 *
 * @param gangs the gangs in the order in which they are placed
 * @param use the part of a cost that is weighed, millionths
 */
record PlaceAnew(List<PlanningGang> gangs, int use) implements Neighbourhood {
    static final Comparator<PlanningGang> BY_START = Comparator.comparingLong(
                    (PlanningGang gang) -> RepairedWindows.former(gang).start())
            .thenComparing(gang -> gang.gang.id());

    @Override
    public List<PlanningGang> place(RepairedWindows repaired) {
        List<PlanningGang> late = new ArrayList<>();
        for (PlanningGang gang : gangs) {
            if (!repaired.stays(gang)) {
                Window foundWindow = find(repaired, gang);
                if (foundWindow == null) {
                    late.add(gang);
                } else {
                    repaired.put(gang, foundWindow);
                }
            }
        }
        if (late.isEmpty()) {
            gangs.stream().filter(repaired::stays).sorted(BY_START).forEach(gang -> {
                repaired.clear(gang);
                repaired.put(gang, Objects.requireNonNullElse(find(repaired, gang), RepairedWindows.former(gang)));
            });
        }
        return late;
    }

    /** Returns the best window, or the former one if none is better; null if there is none. */
    private @Nullable Window find(RepairedWindows repaired, PlanningGang gang) {
        Gang weighedGang = weighed(gang.gang);
        SlotSelection selection = weighedGang.equals(gang.gang)
                ? repaired.search(gang)
                : new WindowSearch(weighedGang, gang.eligibility());
        Window foundWindow =
                repaired.best(gang, selection, weighedGang.criterion(), repaired.terms(gang), repaired.most(gang));
        boolean stays = foundWindow != null
                && !isBetter(foundWindow, RepairedWindows.former(gang), weighedGang)
                && repaired.isFree(gang);
        return stays ? RepairedWindows.former(gang) : foundWindow;
    }

    /**
     * Returns the gang with the value by which it weighs windows: u x cost + value x delay is least where cost + value
     * / u x delay is. The value is rounded down to a millionth, and is at most {@link ValueOfTime#MOST}.
     */
    private Gang weighed(Gang gang) {
        if (use == Split.ALL || gang.criterion() != Criterion.VALUE) {
            return gang;
        }
        ValueOfTime value = gang.valueOfTime();
        long hour = value.hour().micros() * Split.ALL / use;
        return gang.valuing(new ValueOfTime(new Money(Math.min(hour, ValueOfTime.MOST.micros())), value.until()));
    }

    /** Returns whether a window is preferred, ignoring node names. */
    private static boolean isBetter(Window currentWindow, Window other, Gang gang) {
        return Comparator.comparingLong((Window window) -> window.value(gang))
                        .thenComparingLong(Window::start)
                        .thenComparing(Window::cost)
                        .compare(currentWindow, other)
                < 0;
    }
}
