package io.slotwise.web;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.web.access.CallerTurns;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What several resources answer from. */
@Singleton
final class WebComponents {
    @Produces
    @Singleton
    GangAnswers answers(Replica replica, CurrentSettings settings) {
        return new GangAnswers(
                replica::latest,
                replica.view(),
                replica.clock(),
                replica::told,
                () -> settings.get().currency());
    }

    @Produces
    @Singleton
    CallerTurns turns() {
        return new CallerTurns();
    }

    /** Where all meters are registered; Quarkus adds the registries that it finds to its own. */
    @Produces
    @Singleton
    PrometheusMeterRegistry metrics() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    @Produces
    @Singleton
    FrontierAnswers frontiers(Replica replica) {
        return new FrontierAnswers(replica.clock());
    }
}
