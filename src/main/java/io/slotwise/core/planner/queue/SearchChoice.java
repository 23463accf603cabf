package io.slotwise.core.planner.queue;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.baseline.BaselineSelection;
import io.slotwise.core.window.search.WindowSearch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which search finds a gang's alternatives in the cyclic part.
 *
 * @param selection the search
 * @param unserved why it is the exact one though the policy asks for another; null: it is what the policy asks for
 */
public record SearchChoice(
        SlotSelection selection, @Nullable String unserved) {
    /**
     * What the policy asks for, where that can serve the gang.
     *
     * @param exact the exact search
     * @param eligibility the nodes that the gang may use, for each of its shapes
     */
    static SearchChoice of(
            Searching searching, Gang gang, WindowSearch exact, List<Eligibility> eligibility, PlannerResources means) {
        if (searching == Searching.EXACT) {
            return new SearchChoice(exact, null);
        }
        String unserved = BaselineSelection.unserved(gang, eligibility);
        if (unserved != null) {
            return new SearchChoice(exact, unserved);
        }
        Eligibility nodes = eligibility.getFirst();
        SlotSelection selection = switch (searching) {
            case EXACT -> exact;
            case AEP -> BaselineSelection.aep(gang, nodes, means.draws()).observedBy(means.searches());
            case CSA -> BaselineSelection.csa(gang, nodes).observedBy(means.searches());
        };
        return new SearchChoice(selection, null);
    }
}
