package io.slotwise.web.access;

import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.kubernetes.access.ReviewFailed;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/** A caller is denied access; the message says why. */
public final class AccessDenied extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    private AccessDenied(int status, String message) {
        super(message);
        this.status = status;
    }

    static AccessDenied unauthenticated(String message) {
        return new AccessDenied(HttpURLConnection.HTTP_UNAUTHORIZED, message);
    }

    static AccessDenied forbidden(String message) {
        return new AccessDenied(HttpURLConnection.HTTP_FORBIDDEN, message);
    }

    static AccessDenied wrong(String message) {
        return new AccessDenied(HttpURLConnection.HTTP_BAD_REQUEST, message);
    }

    static AccessDenied broken() {
        return new AccessDenied(HttpURLConnection.HTTP_INTERNAL_ERROR, "authentication failed: internal error");
    }

    /** Too many callers wait for authentication. */
    static AccessDenied busy() {
        return new AccessDenied(
                HttpURLConnection.HTTP_UNAVAILABLE, "too many requests wait for authentication; try again");
    }

    public static AccessDenied busy(Bulkhead.Busy busy) {
        return new AccessDenied(HttpURLConnection.HTTP_UNAVAILABLE, String.valueOf(busy.getMessage()));
    }

    static AccessDenied unanswered(ReviewFailed failed) {
        return new AccessDenied(HttpURLConnection.HTTP_UNAVAILABLE, String.valueOf(failed.getMessage()));
    }

    /** The caller sees gangs in none of the namespaces that were checked so far, and not all were checked. */
    static AccessDenied notYet(@Nullable String name) {
        return new AccessDenied(
                HttpURLConnection.HTTP_UNAVAILABLE,
                ("not all namespaces were asked for yet where %s may list reservations.slotwise.io; try again in %d s, "
                                + "or name one namespace")
                        .formatted(name, CallerReview.HOLDS.toSeconds()));
    }

    public int status() {
        return status;
    }

    public void answer(RoutingContext call) {
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
            call.response().putHeader("WWW-Authenticate", "Bearer realm=\"slotwise\"");
        }
        var _ = call.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(JsonObject.of("message", getMessage()).encode());
    }
}
