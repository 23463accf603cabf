package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;

/**
 * What a gang's window is to be like.
 *
 * @param window an alternative of the gang, which may overlap other gangs' windows
 * @param figures what is wanted: the window's, but perhaps with another start
 * @param now starts and ends are measured from here, seconds since the epoch
 */
public record Reference(Window window, WindowFigures figures, long now) {
    public static Reference to(Window window, Gang gang, long now) {
        return new Reference(window, WindowFigures.of(window, gang), now);
    }

    /** The same with the start that can be attained by backfilling, seconds since the epoch; the end moves with it. */
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
