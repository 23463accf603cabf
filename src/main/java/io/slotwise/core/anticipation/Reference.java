package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;

/**
 * The target of a gang's window.
 *
 * @param window an alternative of the gang, which may overlap other gangs' windows
 * @param figures the figures of the window, but perhaps with another start
 * @param now the second since the epoch from which starts and ends are measured
 */
public record Reference(Window window, WindowFigures figures, long now) {
    public static Reference to(Window window, Gang gang, long now) {
        return new Reference(window, WindowFigures.of(window, gang), now);
    }

    /** Returns the reference with a start that backfilling attains, seconds since the epoch. The end moves with it. */
    public Reference startingAt(long start, Gang gang) {
        return new Reference(
                window,
                new WindowFigures(
                        start,
                        figures.runtime(),
                        figures.cost(),
                        figures.processorTime(),
                        figures.energy(),
                        gang.delay(start + figures.runtime()),
                        gang.preferences().distance(start, start + figures.runtime(), figures.cost())),
                now);
    }
}
