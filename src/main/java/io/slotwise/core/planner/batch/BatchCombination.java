package io.slotwise.core.planner.batch;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.List;

/** What a sub-batch's combination has chosen. A gang in neither list had no alternative that its account could pay. */
record BatchCombination(List<Chosen> chosen, List<LeftOut> leftOut) {
    BatchCombination {
        chosen = List.copyOf(chosen);
        leftOut = List.copyOf(leftOut);
    }

    /** A gang and its alternative; {@code weight}: what the batch's limit counts of it. */
    record Chosen(PlanningGang gang, Window window, long weight) {
        /** Whether this is the promise that the gang had, the same object, whose room and money are taken. */
        @SuppressWarnings("ReferenceEquality") // What is equal but another object is given back and taken again.
        boolean stays() {
            Promise promise = gang.promise();
            return promise != null && promise.window() == window;
        }
    }

    /** A gang that gets none since the batch could not stay within its limit with it. */
    record LeftOut(PlanningGang gang, Refusal refusal) {}

    /** What the limit counts of all that was chosen. */
    BigInteger weight() {
        return chosen.stream()
                .map(chosen -> BigInteger.valueOf(chosen.weight()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }
}
