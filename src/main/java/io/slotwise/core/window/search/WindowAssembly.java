package io.slotwise.core.window.search;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRank;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.sweep.MixedPlacement;
import io.slotwise.core.window.sweep.SlotSearch;
import io.slotwise.core.window.sweep.UnitSelection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Builds windows from the units that a search has selected. A unit is the room for one pod on a node. Pods sorted by
 * name get units sorted by node. In slices, pods sorted by rank get units sorted by domain.
 *
 * <p>O(N log n) for n pods of which each may have any of N nodes, mostly O(N).
 */
final class WindowAssembly {
    private WindowAssembly() {}

    private record Unit(Offer offer, Cost cost) {}

    private static final Comparator<Unit> CHEAPEST =
            Comparator.comparing(Unit::cost).thenComparing(unit -> unit.offer().node());

    static Window of(Gang gang, SlotList slots, UnitSelection selection) {
        return of(gang, SlotSearch.uniform(slots, gang.size()), selection);
    }

    /** Builds the window of a gang of several shapes, each with its own units. */
    static Window of(Gang gang, SlotSearch search, UnitSelection selection) {
        long start = selection.start();
        int[] units = selection.units();
        if (units == null && !search.isUniform()) {
            units = MixedPlacement.cheapest(search, start, selection.longest());
        }
        List<Placement> placements = new ArrayList<>();
        long energy = 0;
        int offset = 0;
        for (int shape = 0; shape < search.shapes().size(); shape++) {
            List<Unit> chosen = units == null
                    ? cheapest(gang.size(), search.slots(), selection)
                    : counted(
                            search,
                            start,
                            units,
                            offset,
                            search.shapes().get(shape).offers());
            offset += search.shapes().get(shape).offers();
            List<String> pods = gang.shapes().get(shape).pods();
            if (gang.isSliced()) {
                pods = pods.stream().sorted(PodRank.ORDER).toList();
                chosen.sort(byDomain(gang.topology().slices().getFirst().level()));
            }
            for (int k = 0; k < chosen.size(); k++) {
                Offer offer = chosen.get(k).offer();
                placements.add(new Placement(
                        pods.get(k),
                        offer.node(),
                        start,
                        start + offer.duration(),
                        chosen.get(k).cost()));
                energy = offer.power() == Node.UNKNOWN || energy == Window.UNKNOWN_ENERGY
                        ? Window.UNKNOWN_ENERGY
                        : energy + offer.energy();
            }
        }
        placements.sort(Comparator.comparing(Placement::pod));
        return Window.of(gang.id(), start, placements, energy);
    }

    /** Returns the n cheapest units that are not too long, by node; O(nodes log n) at worst, mostly O(nodes). */
    private static List<Unit> cheapest(int n, SlotList slots, UnitSelection selection) {
        PriorityQueue<Unit> chosen = new PriorityQueue<>(n + 1, CHEAPEST.reversed());
        Offers offers = Offers.of(slots.offers());
        long dearest = Long.MAX_VALUE;
        for (int i = 0; i < offers.size(); i++) {
            if (offers.duration(i) > selection.longest()) {
                continue;
            }
            int count = Math.min(slots.countAt(i, selection.start()), n);
            long cost = count == 0 ? Long.MAX_VALUE : offers.cost(i, selection.start());
            if (count == 0 || cost > dearest) {
                continue;
            }
            Unit unit = new Unit(offers.get(i), new Cost(cost));
            for (int k = 0; k < count; k++) {
                if (chosen.size() == n) {
                    if (CHEAPEST.compare(unit, chosen.element()) >= 0) {
                        break;
                    }
                    chosen.remove();
                }
                chosen.add(unit);
            }
            dearest = chosen.size() == n ? chosen.element().cost().microSecondsPerHour() : Long.MAX_VALUE;
        }
        return chosen.stream()
                .sorted(Comparator.comparing(unit -> unit.offer().node()))
                .toList();
    }

    /** Returns the order by the domains of a level and of the wider ones, so that each slice has units in a row. */
    private static Comparator<Unit> byDomain(TopologyLevel level) {
        return Comparator.comparing((Unit unit) ->
                        String.valueOf(level.domain(unit.offer().timeline().node())))
                .thenComparing(unit -> unit.offer().node());
    }

    private static List<Unit> counted(SlotSearch search, long start, int[] counts, int from, int length) {
        List<Unit> chosen = new ArrayList<>();
        for (int i = from; i < from + length; i++) {
            if (counts[i] > 0) {
                Offer offer = search.offers().get(i);
                chosen.addAll(Collections.nCopies(counts[i], new Unit(offer, offer.cost(start))));
            }
        }
        return chosen;
    }
}
