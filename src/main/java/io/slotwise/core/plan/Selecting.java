package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.WindowSearch;
import io.slotwise.core.window.baseline.BaselineSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which search finds a gang's alternatives in the cyclic part.
 *
 * @param selection the search
 * @param unserved why it is the exact one though the policy asks for another; null: it is what the policy asks for
 */
record Selecting(SlotSelection selection, @Nullable String unserved) {
    /**
     * What the policy asks for, where that can serve the gang.
     *
     * @param exact the exact search
     * @param eligibility the nodes that the gang may use, for each of its shapes
     */
    static Selecting of(
            Searching searching, Gang gang, WindowSearch exact, List<Eligibility> eligibility, Means means) {
        if (searching == Searching.EXACT) {
            return new Selecting(exact, null);
        }
        String unserved = BaselineSelection.unserved(gang, eligibility);
        if (unserved != null) {
            return new Selecting(exact, unserved);
        }
        Eligibility nodes = eligibility.getFirst();
        SlotSelection selection = switch (searching) {
            case EXACT -> exact;
            case AEP -> BaselineSelection.aep(gang, nodes, means.draws()).observedBy(means.searches());
            case CSA -> BaselineSelection.csa(gang, nodes).observedBy(means.searches());
        };
        return new Selecting(selection, null);
    }
}
