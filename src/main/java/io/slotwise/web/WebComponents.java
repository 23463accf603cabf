package io.slotwise.web;

import io.slotwise.live.ClusterView;
import io.slotwise.live.PlanningLoop;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What several resources answer from. */
@Singleton
final class WebComponents {
    @Produces
    @Singleton
    Answers answers(PlanningLoop loop, ClusterView view) {
        return new Answers(loop::latest, view);
    }
}
