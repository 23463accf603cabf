package io.slotwise.web;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.slotwise.live.Host;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;

/** Has no extender where there is no kube-scheduler, so that nothing that is sent to a demo by mistake reaches a real cluster. */
@Singleton
final class NoScheduler {
    private final Host host;

    NoScheduler(Host host) {
        this.host = host;
    }

    void register(@Observes Filters filters) {
        if (host.extendsScheduler()) {
            return;
        }
        filters.register(
                call -> {
                    if (LocalCallers.isExtender(call.normalizedPath())) {
                        call.response()
                                .setStatusCode(HttpURLConnection.HTTP_NOT_FOUND)
                                .end("No kube-scheduler is extended here.\n");
                    } else {
                        call.next();
                    }
                },
                LocalCallers.EARLY);
    }
}
