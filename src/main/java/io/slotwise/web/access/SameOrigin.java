package io.slotwise.web.access;

import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Checks that a call comes from a page of this server, not from another site in a signed-in browser. */
final class SameOrigin {
    private SameOrigin() {}

    static void require(HttpServerRequest request) {
        if (!holds(
                request.getHeader("Sec-Fetch-Site"),
                request.getHeader("Origin"),
                request.authority() == null ? null : request.authority().toString())) {
            throw AccessDenied.forbidden(
                    "a signed-in browser can write only from a page of this address; programs send their "
                            + "token in the header Authorization");
        }
    }

    /** Returns whether these headers prove it. Missing headers prove nothing. */
    static boolean holds(@Nullable String site, @Nullable String origin, @Nullable String host) {
        if (site != null) {
            return site.equals("same-origin");
        }
        if (origin == null || host == null) {
            return false;
        }
        try {
            // A proxy may have another scheme and port, so only the host counts.
            return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
