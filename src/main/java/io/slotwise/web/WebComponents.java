package io.slotwise.web;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.web.access.CallerTurns;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The components that several resources share. */
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

    /** The registry of all meters; Quarkus adds the registries that it finds to its own. */
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
