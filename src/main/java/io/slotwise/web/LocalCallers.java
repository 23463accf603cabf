package io.slotwise.web;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import javax.net.ssl.SSLSession;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Lets nobody but a program on this host, the kube-scheduler beside us, and who shows a certificate of a known name call the extender:
 * whoever may call {@code bind} places pods. The plain port is open for metrics and health, so there the address of the caller decides;
 * over TLS the certificate does, whatever the address. Where clients are named, the port with TLS is for nothing else.
 */
@Singleton
final class LocalCallers {
    private static final String EXTENDER = "/scheduler/";
    static final int EARLY = 1000;

    private final boolean everybody;
    private final ExtenderClients clients;

    /** {@code everybody}: whether plain calls from other hosts are answered too. */
    LocalCallers(
            @ConfigProperty(name = "slotwise.extender.remote-callers", defaultValue = "false") boolean everybody,
            ExtenderClients clients) {
        this.everybody = everybody;
        this.clients = clients;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, EARLY);
    }

    private void check(RoutingContext call) {
        SSLSession session = call.request().connection().sslSession();
        if (session != null) {
            if (clients.knows(session) || (clients.none() && !isExtender(call.normalizedPath()))) {
                call.next();
            } else {
                refuse(
                        call,
                        "This port answers clients with a certificate whose common name slotwise.extender.client-names has.");
            }
        } else if (answers(call.normalizedPath(), call.request().remoteAddress())) {
            call.next();
        } else {
            refuse(call, "The extender answers its own host only; slotwise.extender.remote-callers=true opens it.");
        }
    }

    private static void refuse(RoutingContext call, String why) {
        call.response().setStatusCode(HttpURLConnection.HTTP_FORBIDDEN).end(why + "\n");
    }

    /** Whether a path may lead to the extender, also one with parameters in its parts ({@code /scheduler;a=b/v1}), which are left out later. */
    static boolean isExtender(String path) {
        return path.startsWith(EXTENDER) || path.indexOf(';') >= 0;
    }

    /** Whether a plain call of this path is for this caller; null: nobody knows who calls. */
    boolean answers(String path, @Nullable SocketAddress caller) {
        return everybody || !isExtender(path) || isLocal(caller);
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
