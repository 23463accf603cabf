package io.slotwise.core.plan;

import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;

/** The resources that a caller gives the planner. Plans depend neither on the workers nor on the observer. */
public record PlannerResources(Workers workers, RandomSource random, SearchObserver observer) {
    public static final PlannerResources NONE =
            new PlannerResources(Workers.CALLER, RandomSource.NONE, SearchObserver.NONE);
}
