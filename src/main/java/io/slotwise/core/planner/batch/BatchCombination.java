package io.slotwise.core.planner.batch;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.List;

/** The result of combining a sub-batch. A gang in neither list had no alternative that its account could pay. */
record BatchCombination(List<Chosen> chosen, List<LeftOut> leftOut) {
    BatchCombination {
        chosen = List.copyOf(chosen);
        leftOut = List.copyOf(leftOut);
    }

    /** A gang and its alternative. The weight is what the batch's limit counts of it. */
    record Chosen(PlanningGang gang, Window window, long weight) {
        /** Returns whether the window is the promise itself (the same object), whose room and money are taken. */
        @SuppressWarnings("ReferenceEquality") // An equal window that is another object is given up and taken again.
        boolean stays() {
            Promise promise = gang.promise();
            return promise != null && promise.window() == window;
        }
    }

    /** A gang that gets no window because the batch could not stay within its limit with it. */
    record LeftOut(PlanningGang gang, Refusal refusal) {}

    BigInteger weight() {
        return chosen.stream()
                .map(chosen -> BigInteger.valueOf(chosen.weight()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }
}
