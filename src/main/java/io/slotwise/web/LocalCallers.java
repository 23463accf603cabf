package io.slotwise.web;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Lets nobody but a program on this host, the kube-scheduler beside us, call the extender: whoever may call {@code bind} places
 * pods. The port is open for metrics and health, so the address of the caller decides.
 */
@Singleton
final class LocalCallers {
    static final String EXTENDER = "/scheduler/";
    static final int EARLY = 1000;

    private final boolean everybody;

    /** {@code everybody}: whether calls from other hosts are answered too. */
    LocalCallers(@ConfigProperty(name = "slotwise.extender.remote-callers", defaultValue = "false") boolean everybody) {
        this.everybody = everybody;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, EARLY);
    }

    private void check(RoutingContext call) {
        if (answers(call.normalizedPath(), call.request().remoteAddress())) {
            call.next();
        } else {
            call.response()
                    .setStatusCode(HttpURLConnection.HTTP_FORBIDDEN)
                    .end("The extender answers its own host only; slotwise.extender.remote-callers=true opens it.\n");
        }
    }

    /** Whether a call of this path is for this caller; null: nobody knows who calls. */
    boolean answers(String path, @Nullable SocketAddress caller) {
        return everybody || !path.startsWith(EXTENDER) || isLocal(caller);
    }

    private static boolean isLocal(@Nullable SocketAddress caller) {
        if (caller == null || caller.hostAddress() == null) {
            return false;
        }
        try {
            // An address as digits: nobody is asked for it.
            return InetAddress.getByName(caller.hostAddress()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
