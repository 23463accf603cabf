package io.slotwise.web;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** All metrics, in the format that the caller accepts. */
@Path("/metrics")
public final class MetricsResource {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry;

    MetricsResource(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    /** Answers in Prometheus' text format to Prometheus and browsers, by their Accept header, else in OpenMetrics. */
    @GET
    @Produces({"text/plain", "application/openmetrics-text"})
    public Response metrics(@HeaderParam(HttpHeaders.ACCEPT) @Nullable String accepted) {
        boolean text = accepted != null && (accepted.contains("text/plain") || accepted.contains("text/html"));
        String format = text ? TEXT : OPEN_METRICS;
        return Response.ok(registry.scrape(format), format).build();
    }
}
