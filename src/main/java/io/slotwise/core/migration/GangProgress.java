package io.slotwise.core.migration;

import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;

/**
 * The progress of a gang in its window. All times in seconds.
 *
 * @param window the window of the start, at its promised start and prices
 * @param tariff the prices of the window
 * @param startedAt the real start, since the epoch
 * @param elapsed since then, not negative
 * @param overhead on the reference node, spent at the beginning of this run without any work done; 0 in the first run
 */
public record GangProgress(Window window, PromiseTariff tariff, long startedAt, long elapsed, long overhead) {
    public GangProgress {
        if (elapsed < 0 || overhead < 0) {
            throw new IllegalArgumentException(
                    "The elapsed time (%d s) and the overhead (%d s) of %s must not be negative."
                            .formatted(elapsed, overhead, window.gang()));
        }
    }

    /** Returns the first second after the planned end, counted from the real start. */
    public long end() {
        return startedAt + window.runtime();
    }

    /** Returns whether no pod has reached its planned end. */
    boolean isUnderWay() {
        return window.placements().stream().allMatch(placement -> elapsed < placement.end() - placement.start());
    }

    /** Returns the cost of the seconds until now at the promised prices. */
    public Cost paid() {
        return spent().cost();
    }

    /** Returns the cost of the seconds from now on at the promised prices. */
    Cost unpaid() {
        return window.cost().minus(paid());
    }

    /** Returns the part of the window until now, with which the account of its period is charged. */
    public Window spent() {
        return Window.of(
                window.gang(),
                window.start(),
                window.placements().stream()
                        .map(placement -> new Placement(
                                placement.pod(),
                                placement.node(),
                                placement.start(),
                                placement.start() + elapsed,
                                tariff.cost(placement, elapsed)))
                        .toList());
    }
}
