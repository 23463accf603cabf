package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionCookieTest {
    private static final String TOKEN = "a-token.of-the.cluster";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final byte[] key = SessionCookie.ownKey();
    private final SessionCookie sessions = new SessionCookie(key, now::get);

    @Test
    void aCookieIsOutOfReachOfScriptsAndOtherSitesAndSaysNothing() {
        Cookie cookie = sessions.of(TOKEN, true);

        assertThat(cookie.getName()).isEqualTo("__Host-slotwise-session");
        assertThat(cookie.getDomain()).isNull();
        assertThat(sessions.of(TOKEN, false).getName()).isEqualTo("slotwise-session");
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.isSecure()).isTrue();
        assertThat(cookie.getSameSite()).isEqualTo(CookieSameSite.STRICT);
        assertThat(cookie.getPath()).isEqualTo("/");
        assertThat(cookie.getMaxAge()).isEqualTo(8 * 3600);
        assertThat(cookie.getValue()).doesNotContain(TOKEN, "cluster");
        assertThat(sessions.of(TOKEN, true).getValue()).isNotEqualTo(cookie.getValue());
    }

    @Test
    void everyReplicaWithTheKeyReadsItAndNoOther() {
        String value = sessions.of(TOKEN, false).getValue();

        assertThat(new SessionCookie(key, now::get).open(value)).isEqualTo(TOKEN);
        assertThat(new SessionCookie(SessionCookie.ownKey(), now::get).open(value))
                .isNull();
    }

    @Test
    void aCookieExpires() {
        String value = sessions.of(TOKEN, false).getValue();

        now.set(now.get().plus(SessionCookie.LASTS));
        assertThat(sessions.open(value)).isEqualTo(TOKEN);
        now.set(now.get().plus(Duration.ofMillis(1)));
        assertThat(sessions.open(value)).isNull();
    }

    @Test
    void theLongestTokenFitsIntoABrowsersCookie() {
        String encoded =
                sessions.of("x".repeat(SessionCookie.LONGEST_TOKEN), true).encode();

        assertThat(encoded.length()).isLessThan(4096);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "not base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void aForeignCookieHasNoUser(String value) {
        assertThat(sessions.open(value)).isNull();
    }

    @Test
    void aChangedCookieIsNobodys() {
        String value = sessions.of(TOKEN, false).getValue();
        char other = value.charAt(20) == 'A' ? 'B' : 'A';

        assertThat(sessions.open(value.substring(0, 20) + other + value.substring(21)))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "same-origin, -, board.example, true",
                "same-origin, https://board.example, board.example, true",
                "same-site, https://board.example, board.example, false",
                "cross-site, https://evil.example, board.example, false",
                "none, -, board.example, false",
                "-, https://board.example, board.example, true",
                "-, http://127.0.0.1:8080, 127.0.0.1:8080, true",
                "-, http://127.0.0.1:9090, 127.0.0.1:8080, false",
                "-, https://evil.example, board.example, false",
                "-, null, board.example, false",
                "-, https://board.example, -, false",
                "-, -, board.example, false"
            })
    void onlyTheBoardsOwnPagesMayWrite(
            @Nullable String site, @Nullable String origin, @Nullable String host, boolean ours) {
        assertThat(SameOrigin.holds(site, origin, host)).isEqualTo(ours);
    }
}
