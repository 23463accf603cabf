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
    GangAnswers answers(Replica host, CurrentSettings settings) {
        return new GangAnswers(
                host::latest,
                host.view(),
                host.clock(),
                host::told,
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
    FrontierAnswers frontiers(Replica host) {
        return new FrontierAnswers(host.clock());
    }
}
