package io.slotwise.core.window.baseline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * minProcTime, simplified as in the paper: of one random window at every step, the one of the least processor time.
 *
 * <p>At every slot n of the extended window's slots are drawn; if they cost at most S together, they are compared by the sum of
 * their durations. Times are whole seconds, costs 1/3600 millionths.
 *
 * <p>Invariant: the window kept has the least processor time of all that were drawn and are within S. It "does not guarantee an
 * optimal result and only partially matches the AEP scheme" (the authors).
 *
 * <p>O(r m N n) time for r draws a step, m slots of N nodes and n pods, of which n is the removal from a list; O(m + N) space. The same seed gives
 * the same window.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 3.1, algorithm 5.
 *
 * <p>Reading: "a random window is selected" at each step is one draw of n different slots, all subsets equally likely: n times
 * one of those that are left, in the order in which they were added. A draw above S is lost, not repeated, so that a step
 * costs the same whatever the prices. With more draws a step a draw above S is repeated, so that the window is a random one among
 * those that S allows; a step none of whose draws is within S has no window.
 */
public final class MinProcessorTime extends Aep {
    private final RandomGenerator random;
    private final int draws;

    /**
     * A search that draws from this generator.
     *
     * @param random seeded, for one search at a time
     */
    public MinProcessorTime(RandomGenerator random) {
        this(random, 1);
    }

    /**
     * A search that draws from this generator until a window is within S.
     *
     * @param random seeded, for one search at a time
     * @param draws the most at one step, positive
     */
    public MinProcessorTime(RandomGenerator random, int draws) {
        if (draws <= 0) {
            throw new IllegalArgumentException("The number of draws (%d) must be positive.".formatted(draws));
        }
        this.random = random;
        this.draws = draws;
    }

    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        for (int i = 0; i < draws; i++) {
            SlotWindow window = drawn(extended, n);
            if (window.cost() <= budget) {
                return Optional.of(window);
            }
        }
        return Optional.empty();
    }

    private SlotWindow drawn(ExtendedWindow extended, int n) {
        List<PricedSlot> left = extended.slots();
        List<PricedSlot> drawn = new ArrayList<>(n);
        while (drawn.size() < n) {
            drawn.add(left.remove(random.nextInt(left.size())));
        }
        return new SlotWindow(extended.start(), drawn);
    }

    @Override
    long criterion(SlotWindow window) {
        return window.processorTime();
    }
}
