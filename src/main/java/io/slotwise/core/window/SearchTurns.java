package io.slotwise.core.window;

import io.slotwise.core.work.StopSignal;

/**
 * Counts the turns of the search for alternatives in one plan, and ends it for good once the signal says so. The signal
 * is asked only between turns, at places that follow from the search. So the number of turns alone says where the
 * search ended. Used for one plan.
 */
public final class SearchTurns {
    private final StopSignal signal;
    private int rounds;
    private long turns;
    private boolean stopped;

    /** The number of turns at the last signal check. One check per turn, as a round may restart before a turn. */
    private long asked = -1;

    public SearchTurns(StopSignal signal) {
        this.signal = signal;
    }

    public void round() {
        rounds++;
    }

    public void turn() {
        turns++;
    }

    /** Returns whether to begin or continue a round after the first. */
    public boolean goOn() {
        if (!stopped && asked != turns) {
            asked = turns;
            stopped = signal.stops(turns);
        }
        return !stopped;
    }

    public SearchExtent extent() {
        return new SearchExtent(rounds, turns, stopped);
    }
}
