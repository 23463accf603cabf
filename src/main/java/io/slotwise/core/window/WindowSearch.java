package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.Terms;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The best window of one gang by a criterion, on the free capacity as it is now.
 *
 * <p>A gang with a topology label is searched once in every domain, a lockstep gang once for every distinct duration D among
 * its nodes (with the nodes that need no longer, each charged for D); the best window of all searches is the answer, so every
 * answer is exact. With the price limit {@code slot} the slots above the limit are no slots at all, and the search for the
 * earliest start is ALP (algorithm based on the local price of slots); without it, AMP. Both are of V. Toporkov, A. Toporkova,
 * A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for Economic Scheduling in Distributed
 * Computing" (2013), sections 1 and 2.2.
 *
 * <p>Ties go to the earlier start, then the lower cost, then the names of the nodes.
 */
public final class WindowSearch {
    private final Gang gang;
    private final List<List<Offer>> fields;

    /**
     * A search that can be asked again after the free capacity has changed.
     *
     * @param gang what is searched for
     * @param eligibility the nodes that it may use
     */
    public WindowSearch(Gang gang, Eligibility eligibility) {
        this(gang, eligibility.fields(gang));
    }

    private WindowSearch(Gang gang, List<List<Offer>> fields) {
        this.gang = gang;
        this.fields = fields;
    }

    /** A search on just the nodes of {@code window}, with as many pods on each as there. */
    public static WindowSearch onNodesOf(Gang gang, Window window, Eligibility eligibility) {
        Map<String, List<Placement>> seats =
                window.placements().stream().collect(Collectors.groupingBy(Placement::node));
        List<Offer> offers = new ArrayList<>();
        for (Offer offer : eligibility.offers()) {
            List<Placement> here = seats.get(offer.node());
            if (here != null) {
                long duration = here.getFirst().end() - here.getFirst().start();
                offers.add(new Offer(offer.timeline(), duration, offer.rate(), here.size()));
            }
        }
        return new WindowSearch(gang, List.of(offers));
    }

    /**
     * The best window.
     *
     * @param criterion what is to be least
     * @param terms where slots may lie
     * @param budget the most that the window may cost
     * @return empty if there is none
     * @throws IllegalArgumentException if this version has no search for the criterion
     */
    public Optional<Window> best(Criterion criterion, Terms terms, Cost budget) {
        return fields.stream()
                .flatMap(offers -> best(offers, criterion, terms, budget).stream())
                .min(order(criterion));
    }

    /** The order in which windows of one gang are preferred: criterion, start, cost, names of the nodes. */
    static Comparator<Window> order(Criterion criterion) {
        return Comparator.comparingLong((Window window) -> window.value(criterion))
                .thenComparingLong(Window::start)
                .thenComparing(Window::cost)
                .thenComparing(WindowSearch::nodes);
    }

    private static String nodes(Window window) {
        return String.join(
                " ", window.placements().stream().map(Placement::node).toList());
    }

    private Optional<Window> best(List<Offer> offers, Criterion criterion, Terms terms, Cost budget) {
        SlotList slots = new SlotList(offers, terms);
        OptionalLong start = search(criterion).best(slots, gang.size(), budget);
        return start.isPresent() ? Optional.of(cheapestAt(slots, start.getAsLong())) : Optional.empty();
    }

    private static StartSearch search(Criterion criterion) {
        return switch (criterion) {
            case START -> new Amp();
            case COST -> new LeastCost();
            case FINISH, RUNTIME, PROCESSOR_TIME, ENERGY ->
                throw new IllegalArgumentException(
                        "The criterion (%s) is not supported by this version; expected start or cost."
                                .formatted(criterion.key()));
        };
    }

    private record Unit(Offer offer, Cost cost) {}

    /** The n cheapest units at this second, by cost, then node; pods and nodes are matched by name. O(nodes log nodes). */
    private Window cheapestAt(SlotList slots, long start) {
        List<Unit> units = new ArrayList<>();
        for (int i = 0; i < slots.offers().size(); i++) {
            Offer offer = slots.offers().get(i);
            int count = Math.min(slots.countAt(i, start), gang.size());
            if (count > 0) {
                Unit unit = new Unit(offer, offer.cost(start));
                for (int k = 0; k < count; k++) {
                    units.add(unit);
                }
            }
        }
        units.sort(Comparator.comparing(Unit::cost)
                .thenComparing(unit -> unit.offer().node()));
        List<Unit> chosen = new ArrayList<>(units.subList(0, gang.size()));
        chosen.sort(Comparator.comparing(unit -> unit.offer().node()));
        List<Placement> placements = new ArrayList<>();
        for (int k = 0; k < chosen.size(); k++) {
            Offer offer = chosen.get(k).offer();
            placements.add(new Placement(
                    gang.pods().get(k),
                    offer.node(),
                    start,
                    start + offer.duration(),
                    chosen.get(k).cost()));
        }
        return Window.of(gang.id(), start, placements);
    }
}
