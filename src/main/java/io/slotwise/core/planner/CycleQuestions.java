package io.slotwise.core.planner;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers what a single gang could have besides the promises that a cycle keeps. The cycle plans nothing else. */
public record CycleQuestions(
        Snapshot snapshot, Policy policy, long horizonEnd, Bookings bookings, List<PlanningGang> queue, Chains chains) {
    /** Returns the windows that a gang could have if its own promise were given up. */
    public List<Window> menu(GangId gang) {
        if (chains.refused().containsKey(gang)) {
            return List.of();
        }
        PlanningGang planningGang = waiting(gang);
        if (planningGang.promised()) {
            bookings.giveUpRoom(planningGang.gang, planningGang.promisedWindow());
        }
        List<Window> menu = planningGang.search().menu(planningGang.terms());
        return planningGang.gang.preferences().isNone() ? menu : withNearest(menu, planningGang);
    }

    /** Adds the window that the gang would get, which need not be among the earliest or cheapest. */
    private static List<Window> withNearest(List<Window> menu, PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        return Stream.concat(
                        menu.stream(),
                        planningGang
                                .search()
                                .best(
                                        gang.criterion(),
                                        planningGang.terms(),
                                        gang.budget().limit())
                                .stream())
                .distinct()
                .sorted(WindowSearch.order(Criterion.START, gang))
                .toList();
    }

    private PlanningGang waiting(GangId gang) {
        return queue.stream()
                .filter(other -> other.gang.id().equals(gang))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The gang (%s) does not wait.".formatted(gang)));
    }

    /** Returns the reason why a gang without a promise has no window besides the promises. */
    public Refusal obstacle(GangId gang) {
        Refusal refusal = chains.refused().get(gang);
        if (refusal != null) {
            return refusal;
        }
        queue.stream()
                .filter(PlanningGang::promised)
                .forEach(other -> other.accept(other.promisedWindow(), other.via()));
        return new Diagnosis(snapshot, policy, bookings, queue, chains).why(waiting(gang));
    }

    /** Returns the gang without predecessors, from its earliest possible start on. Empty: it can have no window. */
    public Optional<Gang> independent(GangId gang) {
        if (chains.refused().containsKey(gang)) {
            return Optional.empty();
        }
        PlanningGang planningGang = waiting(gang);
        long earliest = planningGang.terms().earliest();
        return earliest >= horizonEnd
                ? Optional.empty()
                : Optional.of(planningGang.gang.startingFrom(earliest).after(Predecessors.NONE));
    }
}
