package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * minProcTime, simplified as in the paper: of one random window at every step, the one of the least processor time.
 *
 * <p>At every slot n of the extended window's slots are drawn; if they cost at most S together, they are compared by
 * the sum of their durations. Times are whole seconds, costs 1/3600 millionths.
 *
 * <p>Invariant: the window kept has the least processor time of all that were drawn and are within S. It "does not
 * guarantee an optimal result and only partially matches the AEP scheme" (the authors).
 *
 * <p>O(m N n) time for m slots of N nodes and n pods, of which n is the removal from a list; O(m + N) space. The same
 * seed gives the same window.
 *
 * <p>Source: the paper on AEP, section 3.1, algorithm 5.
 *
 * <p>Reading: "a random window is selected" at each step is one draw of n different slots, all subsets equally likely:
 * n times one of those that are left, in the order in which they were added. A draw above S is lost, not repeated, so
 * that a step costs the same whatever the prices. {@link Drawing#AFFORDABLE} is the other reading: slot by slot, any of
 * those is as likely with which a window within S can still be made, so that every step with a window within S has one,
 * in O(N log N + n N).
 */
public final class MinProcessorTime extends Aep {
    private final RandomGenerator random;
    private final Drawing drawing;

    /** What a random window is drawn from. */
    public enum Drawing {
        /** All windows; one above S is none. */
        ANY,
        /** Windows within S. */
        AFFORDABLE
    }

    /** A search that draws from all windows. */
    public MinProcessorTime(RandomGenerator random) {
        this(random, Drawing.ANY);
    }

    /** A search with this reading of what is drawn from. */
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

    /** How many of the cheapest slots leave enough for the rest of so many, the cheapest of which are affordable. */
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
