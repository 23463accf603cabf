package io.slotwise.web;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Adds the security headers of pages: only resources of this server, no inline script or style, no frame, no referrer.
 * Pages are fetched again after an upgrade. Answers of the API are not cached, because each is for one caller.
 */
@Singleton
final class PageHeaders {
    private static final int EARLY = 900;
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'");

    void register(@Observes Filters filters) {
        filters.register(PageHeaders::add, EARLY);
    }

    private static boolean isData(String path) {
        return path.startsWith("/api/") || path.startsWith("/metrics");
    }

    private static void add(RoutingContext call) {
        MultiMap headers = call.response().headers();
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", isData(call.normalizedPath()) ? "no-store" : "no-cache");
        call.next();
    }
}
