package io.slotwise.config;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import io.slotwise.live.cycle.Replica;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Starts and stops the background work of a replica. */
@Singleton
public final class ReplicaLifecycle {
    private static final Logger LOG = Logger.getLogger(ReplicaLifecycle.class);

    private final Replica replica;
    private final HttpServer server;

    ReplicaLifecycle(Replica replica, HttpServer server) {
        this.replica = replica;
        this.server = server;
    }

    void start(@Observes StartupEvent event) {
        replica.start();
    }

    void listening(@ObservesAsync HttpServerStart event) {
        if (server.getPort() > 0) {
            LOG.infof("listening on http://127.0.0.1:%d", server.getPort());
        }
        if (server.getSecurePort() > 0) {
            LOG.infof("listening on https://127.0.0.1:%d", server.getSecurePort());
        }
    }

    void stop(@Observes ShutdownEvent event) {
        replica.close();
    }
}
