package io.slotwise.core.plan;

import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;

/** What a host hands to the planner; plans depend neither on the workers nor on who is told of searches. */
public record PlannerResources(Workers workers, RandomSource random, SearchObserver observer) {
    /** The caller's thread, nothing to draw from, no observer told. */
    public static final PlannerResources NONE =
            new PlannerResources(Workers.CALLER, RandomSource.NONE, SearchObserver.NONE);
}
