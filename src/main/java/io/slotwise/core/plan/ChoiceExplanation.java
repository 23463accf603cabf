package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.window.Window;
import java.util.List;

/**
 * Explains how the window of a cyclically planned gang was chosen: the alternatives, the choice, and why it is not the
 * gang's own best.
 *
 * @param alternatives all that were found, best first by the gang's own criterion, with a promise at the head
 * @param chosen the index of the chosen alternative, before the shift
 * @param loss its loss of utility in millionths: 0 is the gang's best alternative, 1,000,000 its worst
 * @param reason one sentence without a full stop
 */
public record ChoiceExplanation(
        GangId gang, List<Window> alternatives, int chosen, long loss, Decider decider, String reason) {
    /** The rule that kept a gang from its own best alternative. */
    public enum Decider implements Keyed {
        /** Nothing: the gang has its best. */
        CRITERION,
        /** The batch's objective prefers another alternative. */
        OBJECTIVE,
        /** With its best the batch would exceed the policy's limit. */
        LIMIT,
        /** With its best the namespace would exceed its budget. */
        NAMESPACE_BUDGET
    }

    public ChoiceExplanation {
        alternatives = List.copyOf(alternatives);
    }
}
