package io.slotwise.core.window.baseline;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * CSA (common stats, AMP): collects all windows that AMP finds one after the other, none sharing a slot with another,
 * and selects the best by a criterion.
 *
 * <p>AMP's window is cut out of the list of slots, the rest of a slot on either side is a slot again, and AMP is
 * repeated until it finds none.
 *
 * <p>Invariant: the windows found so far are pairwise disjoint in every node's time, turnover included, each costs at
 * most S, and the list holds exactly what they leave.
 *
 * <p>O(A m N log N) time for A alternatives, m slots of N nodes; O(m + A n) space for n pods. A and m grow with N,
 * hence the paper's "near cubic" time.
 *
 * <p>Source: the paper on AEP, section 3.1, algorithm 6.
 *
 * <p>Readings. Every search begins at the head of the list, since the rest of a cut slot may begin before the last
 * window. Ties go to the first alternative found. The paper has no turnover; here a turnover is cut out with the
 * window, before and after.
 */
public final class Csa {
    private Csa() {}

    /** Returns all alternatives that cost at most S each, in the order found; the same for every criterion. */
    public static List<Window> alternatives(Gang gang, List<Offer> offers, SlotTerms terms, Cost budget) {
        return alternatives(gang, FreeSlotList.of(offers, terms), budget, Integer.MAX_VALUE)
                .windows();
    }

    /** The result of a run: the windows in order, the slots that AMP scanned, and whether the limit was reached. */
    record Alternatives(List<Window> windows, long visited, boolean bounded) {}

    /** Returns the first alternatives, at most {@code most}. */
    static Alternatives alternatives(Gang gang, FreeSlotList free, Cost budget, int most) {
        MinStart minStart = new MinStart();
        FreeSlotList slots = free;
        List<Window> found = new ArrayList<>();
        long visited = slots.slots().size();
        Optional<Window> next = minStart.best(gang, slots, budget);
        while (next.isPresent() && found.size() < most) {
            found.add(next.get());
            slots = slots.without(next.get());
            visited += slots.slots().size();
            next = minStart.best(gang, slots, budget);
        }
        return new Alternatives(found, visited, next.isPresent());
    }

    /** Returns the alternative with the least value, the first found of equal ones; empty if there is none. */
    public static Optional<Window> best(List<Window> alternatives, Criterion criterion) {
        return alternatives.stream().min(Comparator.comparingLong(window -> window.value(criterion)));
    }
}
