package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.window.Window;
import java.util.List;

/**
 * How the window of a cyclically planned gang was chosen: what there was, what was taken, and why not the gang's own
 * best.
 *
 * @param alternatives all that were found, best first by the gang's own criterion, a promise at the head
 * @param chosen the index of the one that was taken, before the shift
 * @param loss its loss of utility in millionths: 0 is the gang's best alternative, 1,000,000 its worst
 * @param reason in one sentence without a full stop
 */
public record ChoiceExplanation(
        GangId gang, List<Window> alternatives, int chosen, long loss, Decider decider, String reason) {
    /** What may keep a gang from its own best alternative. */
    public enum Decider implements Keyed {
        /** Nothing: it has its best. */
        CRITERION,
        /** The batch's objective prefers another one. */
        OBJECTIVE,
        /** With its best the batch would pass the policy's limit. */
        LIMIT,
        /** With its best the namespace would pass its budget. */
        NAMESPACE_BUDGET
    }

    public ChoiceExplanation {
        alternatives = List.copyOf(alternatives);
    }
}
