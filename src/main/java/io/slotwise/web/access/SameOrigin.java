package io.slotwise.web.access;

import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Whether a page of ours sends a call, and no page of another site in a browser that is signed in here. */
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

    /** Whether these headers prove it; no headers prove nothing. */
    static boolean holds(@Nullable String site, @Nullable String origin, @Nullable String host) {
        if (site != null) {
            return site.equals("same-origin");
        }
        if (origin == null || host == null) {
            return false;
        }
        try {
            // Scheme and port of a proxy before us may differ from ours: the browser's own word of the host counts.
            return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
