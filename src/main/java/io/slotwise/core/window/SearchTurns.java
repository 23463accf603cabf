package io.slotwise.core.window;

import io.slotwise.core.work.StopSignal;

/**
 * Counts the turns of the search for alternatives in one plan, and ends it for good once the signal says so. The signal
 * is asked between turns only, at places that follow from what was searched for: so the number of turns alone says
 * where it ended. Scratch of one plan.
 */
public final class SearchTurns {
    private final StopSignal signal;
    private int rounds;
    private long turns;
    private boolean stopped;

    /** After how many turns the signal was asked last: once after each, as a round may begin again before a turn. */
    private long asked = -1;

    public SearchTurns(StopSignal signal) {
        this.signal = signal;
    }

    public void round() {
        rounds++;
    }

    /** A gang had its turn in a round that is not the first. */
    public void turn() {
        turns++;
    }

    /** Whether there is time for a round that is not the first, or for more of it. */
    public boolean goOn() {
        if (!stopped && asked != turns) {
            asked = turns;
            stopped = signal.stops(turns);
        }
        return !stopped;
    }

    /** How far it went so far. */
    public SearchExtent extent() {
        return new SearchExtent(rounds, turns, stopped);
    }
}
