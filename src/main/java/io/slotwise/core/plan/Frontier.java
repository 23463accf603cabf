package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a batch could have, between money and what money buys: plans of which none is better than another one in both.
 *
 * @param now seconds since the epoch
 * @param gangs how many gangs have windows in each plan
 * @param points from the best in {@code axes.against} to the best in {@code axes.money}; empty: no gang has a window
 * @param pending the gangs that have a window in none of the plans, and why
 * @param dropped plans that were left out because there were too many; 0: the set is whole over the alternatives found
 * @param gap for every plan that was left out there is one here that is no worse in money, and worse by at most this in
 *     the other figure, in the unit of its sum; empty: no such bound is known
 * @param notes what else an admin should know
 */
public record Frontier(
        long now,
        Axes axes,
        int gangs,
        List<Point> points,
        List<Pending> pending,
        long dropped,
        OptionalLong gap,
        List<String> notes) {
    public Frontier {
        points = List.copyOf(points);
        pending = List.copyOf(pending);
        notes = List.copyOf(notes);
    }

    /** What the batch pays, as users or as owners like it. */
    public enum Money implements Keyed {
        /** The least that users pay. */
        COST,
        /** The most that owners earn. */
        INCOME
    }

    /** What is to be low beside it. */
    public enum Against implements Keyed {
        /** The loss of utility, millionths of each gang's range of alternatives by its own criterion. */
        UTILITY,
        /** The seconds from each gang's arrival to its end. */
        DELAY
    }

    public record Axes(Money money, Against against) {}

    /**
     * A plan.
     *
     * @param loss the sum of the gangs' losses of utility, millionths
     */
    public record Point(Cost cost, long loss, long delay, List<Planned> windows) {
        public Point {
            windows = List.copyOf(windows);
        }

        /** The figure beside the money, in the unit of its sum. */
        public long figure(Against against) {
            return switch (against) {
                case UTILITY -> loss;
                case DELAY -> delay;
            };
        }
    }

    /** The seconds from a gang's arrival to a window's end; 0 for an arrival after that, as one clock may see it. */
    public static long delay(Gang gang, Window window) {
        return Math.max(0, window.end() - gang.arrival());
    }
}
