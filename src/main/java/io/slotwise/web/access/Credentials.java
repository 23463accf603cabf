package io.slotwise.web.access;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of a call. The API server's service proxy uses {@code Authorization} for itself, so another header
 * takes precedence; {@code cookie} tells whether a browser sent the token by itself.
 */
record Credentials(String token, boolean cookie) {
    static final String HEADER = "Slotwise-Authorization";
    private static final String BEARER = "bearer ";

    /** Returns the credentials of a call. Null if it has none. */
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
