package io.slotwise.core.plan;

import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;

/**
 * What a host hands to the planner, since the core has none of it.
 *
 * @param workers who works beside each other; plans do not depend on them
 * @param draws where searches that draw have their numbers from
 * @param searches who is told of every search; plans do not depend on it
 */
public record PlannerResources(Workers workers, RandomSource draws, SearchObserver searches) {
    /** The caller's thread, nothing to draw from, no observer told. */
    public static final PlannerResources NONE =
            new PlannerResources(Workers.CALLER, RandomSource.NONE, SearchObserver.NONE);
}
