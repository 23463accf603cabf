package io.slotwise.web.access;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.slotwise.kubernetes.access.AccessRight;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The filter before every endpoint: a call gets a {@link CallerAccess} or is refused. Only {@link #OPEN}, health probes
 * and requests to sign in pass without one. The API server is asked on a virtual thread.
 */
@Singleton
final class AccessFilter {
    static final String SESSION = "/api/v1/session";
    static final String SIGN_IN = "/sign-in.html";

    /** The public paths, which reveal nothing about the cluster: the sign-in page and its resources. */
    static final Set<String> OPEN = Set.of(
            SIGN_IN, "/board/board.css", "/board/dom.js", "/board/mark.svg", "/board/sign-in.js", "/board/theme.js");

    private static final Logger LOG = Logger.getLogger(AccessFilter.class);
    private static final String METRICS = "/metrics";
    private static final String HEALTH = "/q/health";
    private static final Set<String> PAGES = Set.of("/", "/index.html");
    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final int AFTER_HEADERS = 850;
    private static final int LONGEST_BODY = 16_384;

    private final Authenticator authenticator;

    AccessFilter(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, AFTER_HEADERS);
    }

    private void check(RoutingContext call) {
        String path = call.normalizedPath();
        if (path.equals(SESSION) && call.request().method().equals(HttpMethod.POST) && !isSmall(call.request())) {
            AccessDenied.wrong("the body has no length or more than %d bytes: expected {\"token\": TOKEN}"
                            .formatted(LONGEST_BODY))
                    .answer(call);
        } else if (!authenticator.guarded()) {
            CallerAccess.ofAnybody().leaveWith(call);
            call.next();
        } else if (isOpen(path, call.request()) || (isMetrics(path) && !authenticator.guardsMetrics())) {
            call.next();
        } else {
            ask(call, path, Credentials.of(call.request(), authenticator.sessions()));
        }
    }

    private void ask(RoutingContext call, String path, @Nullable Credentials credentials) {
        Context context = call.vertx().getOrCreateContext();
        Thread.startVirtualThread(() -> {
            AccessDenied denied = refusal(call, path, credentials);
            context.runOnContext(_ -> {
                if (denied == null) {
                    call.next();
                } else {
                    refuse(call, path, credentials, denied);
                }
            });
        });
    }

    private static boolean isOpen(String path, HttpServerRequest request) {
        return OPEN.contains(path)
                || path.equals(HEALTH)
                || path.startsWith(HEALTH + "/")
                || (path.equals(SESSION) && !READING.contains(request.method()));
    }

    private static boolean isMetrics(String path) {
        return path.equals(METRICS) || path.startsWith(METRICS + "/");
    }

    /** Returns whether the body of an unknown caller is small enough to be read. */
    private static boolean isSmall(HttpServerRequest request) {
        try {
            return Long.parseLong(request.getHeader(HttpHeaders.CONTENT_LENGTH)) <= LONGEST_BODY;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Returns why a call is refused. Null if it passes, with its access attached. */
    private @Nullable AccessDenied refusal(RoutingContext call, String path, @Nullable Credentials credentials) {
        try {
            if (credentials == null) {
                throw AccessDenied.unauthenticated(
                        "missing credentials: send a token of the cluster in the header `Authorization: Bearer "
                                + "<token>`, or sign in at " + SIGN_IN);
            }
            if (credentials.cookie() && !READING.contains(call.request().method())) {
                SameOrigin.require(call.request());
            }
            CallerAccess access = authenticator.access(credentials);
            if (isMetrics(path)) {
                access.require(AccessRight.METRICS);
            }
            access.leaveWith(call);
            return null;
        } catch (AccessDenied e) {
            return e;
        } catch (RuntimeException e) {
            LOG.error("authentication failed: internal error", e);
            return AccessDenied.broken();
        }
    }

    private static void refuse(
            RoutingContext call, String path, @Nullable Credentials credentials, AccessDenied denied) {
        if (call.response().closed()) {
            return;
        }
        boolean unauthenticated = denied.status() == HttpURLConnection.HTTP_UNAUTHORIZED;
        if (unauthenticated && (credentials == null ? hasCookie(call) : credentials.cookie())) {
            call.response().addCookie(SessionCookie.gone(Authenticator.isSecure(call.request())));
        }
        if (unauthenticated
                && PAGES.contains(path)
                && READING.contains(call.request().method())) {
            var _ = call.response()
                    .setStatusCode(HttpURLConnection.HTTP_MOVED_TEMP)
                    .putHeader(HttpHeaders.LOCATION, SIGN_IN)
                    .end();
        } else {
            denied.answer(call);
        }
    }

    private static boolean hasCookie(RoutingContext call) {
        return call.request().getCookie(SessionCookie.name(Authenticator.isSecure(call.request()))) != null;
    }
}
