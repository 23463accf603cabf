package io.slotwise.web.access;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a call says of who sends it. The API server's proxy of services takes {@code Authorization} for itself,
 * therefore the other header; it is looked at first.
 *
 * @param cookie whether a browser sent it by itself, in its session's cookie
 */
record Credentials(String token, boolean cookie) {
    static final String HEADER = "Slotwise-Authorization";
    private static final String BEARER = "bearer ";

    /** Those of a call; null: it has none. */
    static @Nullable Credentials of(HttpServerRequest request, SessionCookie sessions) {
        String token = bearer(request.getHeader(HEADER));
        if (token == null) {
            token = bearer(request.getHeader("Authorization"));
        }
        if (token != null) {
            return new Credentials(token, false);
        }
        Cookie cookie = request.getCookie(SessionCookie.name(Authenticator.isSecure(request)));
        String kept = cookie == null ? null : sessions.open(cookie.getValue());
        return kept == null ? null : new Credentials(kept, true);
    }

    private static @Nullable String bearer(@Nullable String header) {
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return null;
        }
        String token = header.substring(BEARER.length()).strip();
        return token.isEmpty() ? null : token;
    }
}
