package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The paper's minProcTime, which is a simplification: it draws one random window at every step of the scan, and keeps
 * the one of the least processor time.
 *
 * <p>The extended window is that of {@link Aep}. At every step n of its slots are drawn, one for each pod. The draw
 * counts if it costs at most the budget S, and its criterion is the sum of the slots' durations.
 *
 * <p>Invariant: the kept window has the least processor time of all drawn windows that cost at most S. It "does not
 * guarantee an optimal result and only partially matches the AEP scheme" (the authors).
 *
 * <p>For m slots of N nodes and n pods it takes O(m N n) time, where the factor n is due to removals from a list, and
 * O(m + N) space. The same seed gives the same window.
 *
 * <p>Source: the paper on AEP, section 3.1, algorithm 5.
 *
 * <p>Readings. "A random window is selected" at each step is read as one draw of n different slots, where all subsets
 * are equally likely. Slots are drawn one after the other from the remaining slots, in the order in which they were
 * added. A draw above S is not repeated, so prices do not affect the cost of a step. {@link Drawing#AFFORDABLE} is the
 * other reading. There each slot with which a window within S can still be completed is equally likely. So every step
 * at which there is a window within S yields one, in O(N log N + n N).
 */
public final class MinProcessorTime extends Aep {
    private final RandomGenerator random;
    private final Drawing drawing;

    /** The windows from which a random one is drawn. */
    public enum Drawing {
        /** All windows. A draw above S counts as no window. */
        ANY,
        /** Only windows within S. */
        AFFORDABLE
    }

    public MinProcessorTime(RandomGenerator random) {
        this(random, Drawing.ANY);
    }

    public MinProcessorTime(RandomGenerator random, Drawing drawing) {
        this.random = random;
        this.drawing = drawing;
    }

    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        return switch (drawing) {
            case ANY -> any(extended, n, budget);
            case AFFORDABLE -> affordable(extended, n, budget);
        };
    }

    private Optional<SlotWindow> any(ExtendedWindow extended, int n, long budget) {
        List<PricedSlot> left = extended.slots();
        List<PricedSlot> drawn = new ArrayList<>(n);
        while (drawn.size() < n) {
            drawn.add(left.remove(random.nextInt(left.size())));
        }
        SlotWindow window = new SlotWindow(extended.start(), drawn);
        return window.cost() <= budget ? Optional.of(window) : Optional.empty();
    }

    private Optional<SlotWindow> affordable(ExtendedWindow extended, int n, long budget) {
        List<PricedSlot> left = extended.cheapestFirst();
        if (SlotWindow.cost(left.subList(0, n)) > budget) {
            return Optional.empty();
        }
        List<PricedSlot> drawn = new ArrayList<>(n);
        long money = budget;
        while (drawn.size() < n) {
            PricedSlot slot = left.remove(random.nextInt(affordable(left, n - drawn.size(), money)));
            drawn.add(slot);
            money -= slot.cost();
        }
        return Optional.of(new SlotWindow(extended.start(), drawn));
    }

    /**
     * Returns how many of the slots, the cheapest first, can be part of n slots that cost at most {@code money}.
     * Precondition: the n cheapest slots cost no more.
     */
    private static int affordable(List<PricedSlot> byCost, int n, long money) {
        long most = money - SlotWindow.cost(byCost.subList(0, n - 1));
        int count = n;
        while (count < byCost.size() && byCost.get(count).cost() <= most) {
            count++;
        }
        return count;
    }

    @Override
    long criterion(SlotWindow window) {
        return window.processorTime();
    }
}
