package io.slotwise.testing;

import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;

/** Looks up gangs in a plan. */
public final class InPlan {
    private InPlan() {}

    /** Returns the planned gang of this name. Throws if the plan has none. */
    public static Planned planned(Plan plan, String gang) {
        return plan.windows().stream()
                .filter(planned -> planned.gang().id().name().equals(gang))
                .findFirst()
                .orElseThrow();
    }
}
