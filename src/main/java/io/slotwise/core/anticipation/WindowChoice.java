package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Criterion;
import java.util.Arrays;
import java.util.Comparator;

/** A window of a pass that has not been built: how many units of each node, and how far it is from the reference. */
final class WindowChoice {
    private final double distance;
    private final WindowFigures figures;
    private final int[] taken;

    WindowChoice(double distance, WindowFigures figures, int[] taken) {
        this.distance = distance;
        this.figures = figures;
        this.taken = taken;
    }

    /** From the reference. */
    double distance() {
        return distance;
    }

    /** Seconds since the epoch. */
    long start() {
        return figures.start();
    }

    /** How many units of each node; not to be changed. */
    int[] taken() {
        return taken;
    }

    /**
     * Nearest first; then by the criterion, start, cost, and the nodes' names, whose order is that of their indices.
     */
    static Comparator<WindowChoice> order(Criterion criterion) {
        return Comparator.comparingDouble(WindowChoice::distance)
                .thenComparingLong(choice -> choice.figures.value(criterion))
                .thenComparingLong(WindowChoice::start)
                .thenComparingLong(choice -> choice.figures.cost())
                .thenComparing((a, b) -> Arrays.compare(b.taken, a.taken));
    }
}
