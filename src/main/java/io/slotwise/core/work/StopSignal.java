package io.slotwise.core.work;

/**
 * Ends an anytime search. The core has no clock, so a caller that has one passes this in. The search returns the best
 * result so far.
 */
@FunctionalInterface
public interface StopSignal {
    StopSignal NEVER = _ -> false;

    /** Returns a signal that ends after this number of turns, which reproduces an earlier run. */
    static StopSignal after(long turns) {
        return done -> done >= turns;
    }

    boolean stops(long turns);
}
