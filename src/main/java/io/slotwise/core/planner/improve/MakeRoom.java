package io.slotwise.core.planner.improve;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Other gangs make room for a gang without a window. It is placed as if the others were not there. Those that are not
 * in its way stay. Each of the rest goes where it is best within what it was promised, or would be promised with its
 * present window.
 *
 * <p>Source: D. Talby, D. G. Feitelson, "Supporting Priorities and Improving Utilization of the IBM SP Scheduler Using
 * Slack-Based Backfilling", IPPS/SPDP 1999. There an arriving job is tried at each place of the profile, and the jobs
 * after it are pushed back. Here gangs in its way go anywhere that keeps their promises, also forward.
 *
 * @param newcomer the gang without a window
 * @param others the gangs that may move, in the order in which they get other windows
 * @param criterion the criterion by which the newcomer is placed
 * @param behind whether the others take their earliest windows before the newcomer is placed
 */
record MakeRoom(
        PlanningGang newcomer, List<PlanningGang> others, Criterion criterion, boolean behind, PromiseSlack slack)
        implements Neighbourhood {
    @Override
    public List<PlanningGang> gangs() {
        return Stream.concat(Stream.of(newcomer), others.stream()).toList();
    }

    @Override
    public @Nullable PromiseBound bound(PlanningGang gang) {
        return gang.equals(newcomer) ? null : bound(gang, slack);
    }

    /** Returns what a gang with a window was promised, or would be promised with it. */
    static PromiseBound bound(PlanningGang gang, PromiseSlack slack) {
        PromiseBound bound = gang.binding();
        if (bound == null) {
            bound = slack.promised(gang.gang, RepairedWindows.former(gang));
        }
        return bound == null ? PromiseBound.of(RepairedWindows.former(gang)) : bound;
    }

    @Override
    public List<PlanningGang> place(RepairedWindows repaired) {
        List<PlanningGang> removed =
                others.stream().filter(other -> !repaired.stays(other)).toList();
        if (behind && !removed.stream().allMatch(other -> putBest(repaired, other, Criterion.START))) {
            return removed;
        }
        if (!putBest(repaired, newcomer, criterion)) {
            return List.of(newcomer);
        }
        List<PlanningGang> inTheWay = new ArrayList<>();
        for (PlanningGang other : removed) {
            if (repaired.window(other) == null) {
                if (repaired.isFree(other)) {
                    repaired.put(other, RepairedWindows.former(other));
                } else {
                    inTheWay.add(other);
                }
            }
        }
        return inTheWay.stream()
                .filter(other -> !putBest(repaired, other, other.gang.criterion()))
                .toList();
    }

    private static boolean putBest(RepairedWindows repaired, PlanningGang gang, Criterion criterion) {
        Window foundWindow = repaired.best(gang, criterion);
        if (foundWindow != null) {
            repaired.put(gang, foundWindow);
        }
        return foundWindow != null;
    }
}
