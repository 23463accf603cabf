package io.slotwise.core.window.baseline;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Slots chosen from an extended window, with a common start since the epoch, before pods are assigned to them. */
record SlotWindow(long start, List<PricedSlot> slots) {
    /** Returns the cost of all pods, 1/3600 millionths. */
    long cost() {
        return cost(slots);
    }

    /** Returns the cost of these slots, 1/3600 millionths. */
    static long cost(List<PricedSlot> slots) {
        long total = 0;
        for (PricedSlot slot : slots) {
            total = Math.addExact(total, slot.cost());
        }
        return total;
    }

    /** Returns the seconds of the longest pod. */
    long runtime() {
        long longest = 0;
        for (PricedSlot slot : slots) {
            longest = Math.max(longest, slot.duration());
        }
        return longest;
    }

    /** Returns the sum of all pods' seconds. */
    long processorTime() {
        long total = 0;
        for (PricedSlot slot : slots) {
            total += slot.duration();
        }
        return total;
    }

    /** Returns the window of the gang: pods and nodes are matched by name. */
    Window of(Gang gang) {
        List<PricedSlot> byNode = new ArrayList<>(slots);
        byNode.sort(Comparator.comparing(PricedSlot::node));
        List<Placement> placements = new ArrayList<>();
        long energy = 0;
        for (int k = 0; k < byNode.size(); k++) {
            PricedSlot slot = byNode.get(k);
            placements.add(new Placement(
                    gang.pods().get(k), slot.node(), start, start + slot.duration(), new Cost(slot.cost())));
            Offer offer = slot.slot().offer();
            energy = offer.power() == Node.UNKNOWN || energy == Window.UNKNOWN_ENERGY
                    ? Window.UNKNOWN_ENERGY
                    : energy + offer.energy();
        }
        return Window.of(gang.id(), start, placements, energy);
    }
}
