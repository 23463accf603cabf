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
 * Places the gangs that do not wait for the batch, in queue order, each in one resource domain beside all promises:
 * {@link DomainChoice}. A gang that no domain has a window for stays pending and is asked again in the next cycle.
 */
public record OnlinePlacement(Policy.Online policy, long now, Bookings bookings, SearchObserver searches) {
    public static boolean isOnline(PlanningGang contender, Policy.Online policy) {
        Manner own = contender.gang.placing().manner();
        return (own == null ? policy.manner() : own) != Manner.BATCH;
    }

    /** Gives windows to the online gangs among these that have no promise; how each one was chosen. */
    public List<DomainComparison> place(List<PlanningGang> queue) {
        List<PlanningGang> arrived = queue.stream()
                .filter(contender -> isOnline(contender, policy) && !contender.promised())
                .toList();
        if (arrived.isEmpty()) {
            return List.of();
        }
        List<DomainComparison> comparisons = new ArrayList<>();
        DomainChoice choice = new DomainChoice(new ResourceDomains(bookings.timeline(), policy.domainKey()), searches);
        for (PlanningGang contender : arrived) {
            OnlineRequest terms = terms(contender);
            Optional<Chosen> chosen =
                    choice.best(contender.gang, terms, contender.eligibility(), stretches(contender), now);
            if (chosen.isPresent()) {
                comparisons.add(comparison(contender, terms, chosen.get()));
                contender.take(bookings, chosen.get().window(), WindowOrigin.ONLINE);
            }
        }
        return comparisons;
    }

    private static DomainComparison comparison(PlanningGang contender, OnlineRequest terms, Chosen chosen) {
        Stream<LeftOut> unknown = chosen.unknown().stream().map(name -> new LeftOut(name, Why.NO_BANDWIDTH));
        Stream<LeftOut> without = chosen.without().stream().map(name -> new LeftOut(name, Why.NO_WINDOW));
        return new DomainComparison(
                contender.gang.id(),
                terms.mode(),
                terms.weights(),
                chosen.compared(),
                Stream.concat(unknown, without)
                        .sorted(Comparator.comparing(LeftOut::domain))
                        .toList());
    }

    /** The periods of its namespace's accounts, with what is left there for it. */
    private List<Stretch> stretches(PlanningGang contender) {
        SlotTerms terms = contender.terms();
        Cost budget = contender.gang.budget().limit();
        return bookings.purses().spans(contender.gang.id().namespace(), terms.earliest(), terms.latest() + 1).stream()
                .map(span -> new Stretch(
                        terms.between(span.start(), span.end() - 1), span.most().min(budget)))
                .toList();
    }

    private OnlineRequest terms(PlanningGang contender) {
        PlacementRequest placing = contender.gang.placing();
        Manner manner = placing.manner() == null ? policy.manner() : placing.manner();
        return new OnlineRequest(
                manner == Manner.EMET ? OnlineMode.EMET : OnlineMode.EMCT,
                placing.inputBytes(),
                policy.weights().with(placing.timeWeight(), placing.costWeight()));
    }
}
