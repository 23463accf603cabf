package io.slotwise.core.work;

/**
 * Says when something that gets better the longer it takes is to end. The core has no clock: a host that has one hands
 * this in, and what was found until then is used.
 */
@FunctionalInterface
public interface StopSignal {
    StopSignal NEVER = _ -> false;

    /** Ends after so many turns: where an earlier run ended after them this one ends in the same place. */
    static StopSignal after(long turns) {
        return done -> done >= turns;
    }

    /** Whether to end after so many turns. */
    boolean stops(long turns);
}
