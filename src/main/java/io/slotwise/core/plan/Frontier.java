package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.OptionalLong;

/**
 * The choices of a batch between money and another figure: plans that no other plan beats in both.
 *
 * @param now seconds since the epoch
 * @param gangs the number of gangs with windows in each plan
 * @param points from the best in {@code axes.against} to the best in {@code axes.money}, empty if no gang has a window
 * @param pending the gangs that have a window in none of the plans
 * @param dropped the number of plans left out because there were too many; 0 if the set is complete for the
 *     alternatives found
 * @param gap a bound, in the unit of the other figure's sum: for every plan left out, some plan here is no worse in
 *     money and worse by at most the gap in the other figure. Empty if no bound is known.
 * @param notes further notes for an admin
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

    /** The money of the batch, to minimize or maximize. */
    public enum Money implements Keyed {
        /** The least that users pay. */
        COST,
        /** The most that owners earn. */
        INCOME
    }

    /** The figure to minimize besides money. */
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

        /** Returns the figure besides money, in the unit of its sum. */
        public long figure(Against against) {
            return switch (against) {
                case UTILITY -> loss;
                case DELAY -> delay;
            };
        }
    }

    /** Returns the seconds from a gang's arrival to a window's end, or 0 if clock skew puts the arrival later. */
    public static long delay(Gang gang, Window window) {
        return Math.max(0, window.end() - gang.arrival());
    }
}
