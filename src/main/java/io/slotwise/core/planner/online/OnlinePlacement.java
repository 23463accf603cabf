package io.slotwise.core.planner.online;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.money.Cost;
import io.slotwise.core.online.DomainChoice;
import io.slotwise.core.online.DomainChoice.Chosen;
import io.slotwise.core.online.DomainChoice.Stretch;
import io.slotwise.core.online.OnlineMode;
import io.slotwise.core.online.OnlineRequest;
import io.slotwise.core.online.ResourceDomains;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.DomainComparison.LeftOut;
import io.slotwise.core.plan.DomainComparison.Why;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SearchObserver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Places the gangs that do not wait for the batch, in queue order, each in one resource domain next to all promises:
 * {@link DomainChoice}. A gang without a window in any domain stays pending until the next cycle.
 */
public record OnlinePlacement(Policy.Online online, long now, Bookings bookings, SearchObserver observer) {
    public static boolean isOnline(PlanningGang gang, Policy.Online online) {
        Manner manner = gang.gang.placementRequest().manner();
        return (manner == null ? online.manner() : manner) != Manner.BATCH;
    }

    /** Places the online gangs without a promise, and returns how each domain was chosen. */
    public List<DomainComparison> place(List<PlanningGang> queue) {
        List<PlanningGang> arrived = queue.stream()
                .filter(gang -> isOnline(gang, online) && !gang.promised())
                .toList();
        if (arrived.isEmpty()) {
            return List.of();
        }
        List<DomainComparison> comparisons = new ArrayList<>();
        DomainChoice choice = new DomainChoice(new ResourceDomains(bookings.timeline(), online.domainKey()), observer);
        for (PlanningGang gang : arrived) {
            OnlineRequest request = terms(gang);
            Optional<Chosen> chosen = choice.best(gang.gang, request, gang.eligibility(), stretches(gang), now);
            if (chosen.isPresent()) {
                comparisons.add(comparison(gang, request, chosen.get()));
                gang.take(bookings, chosen.get().window(), WindowOrigin.ONLINE);
            }
        }
        return comparisons;
    }

    private static DomainComparison comparison(PlanningGang gang, OnlineRequest request, Chosen chosen) {
        Stream<LeftOut> unknownBandwidth =
                chosen.unknownBandwidth().stream().map(name -> new LeftOut(name, Why.NO_BANDWIDTH));
        Stream<LeftOut> without = chosen.without().stream().map(name -> new LeftOut(name, Why.NO_WINDOW));
        return new DomainComparison(
                gang.gang.id(),
                request.mode(),
                request.weights(),
                chosen.compared(),
                Stream.concat(unknownBandwidth, without)
                        .sorted(Comparator.comparing(LeftOut::domain))
                        .toList());
    }

    private List<Stretch> stretches(PlanningGang gang) {
        SlotTerms terms = gang.terms();
        Cost budget = gang.gang.budget().limit();
        return bookings.balances().spans(gang.gang.id(), terms.earliest(), terms.latest() + 1).stream()
                .map(span -> new Stretch(
                        terms.between(span.start(), span.end() - 1),
                        span.maxCost().min(budget)))
                .toList();
    }

    private OnlineRequest terms(PlanningGang gang) {
        PlacementRequest request = gang.gang.placementRequest();
        Manner manner = request.manner() == null ? online.manner() : request.manner();
        return new OnlineRequest(
                manner == Manner.EMET ? OnlineMode.EMET : OnlineMode.EMCT,
                request.inputBytes(),
                online.weights().with(request.timeWeight(), request.costWeight()));
    }
}
