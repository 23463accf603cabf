package io.slotwise.web.access;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The cookie of a signed-in browser: the person's token and the time of the sign-in, encrypted by AES-256 in
 * Galois/counter mode. So the server stores nothing, and every replica with the same key can read it. It is valid for
 * {@link #LASTS}, and never longer than its token.
 */
final class SessionCookie {
    private static final String NAME = "slotwise-session";
    /** A prefix for cookies that browsers accept only over TLS and from this exact host: no neighbour can plant one. */
    private static final String OF_THIS_HOST = "__Host-";

    static final Duration LASTS = Duration.ofHours(8);
    /** Browsers limit cookies to 4,096 bytes including name and attributes. */
    static final int LONGEST_TOKEN = 2_900;

    static final int KEY_BYTES = 32;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    SessionCookie(byte[] key, InstantSource clock) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The key of sessions has %d bytes; expected %d".formatted(key.length, KEY_BYTES));
        }
        this.key = new SecretKeySpec(key, "AES");
        this.clock = clock;
    }

    /** Returns the cookie's name: over TLS a cookie that was set without TLS is ignored. */
    static String name(boolean secure) {
        return secure ? OF_THIS_HOST + NAME : NAME;
    }

    static byte[] ownKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /** Returns a cookie for a token, which the browser may send over TLS only if {@code secure}. */
    Cookie of(String token, boolean secure) {
        return cookie(seal(token), secure).setMaxAge(LASTS.toSeconds());
    }

    /** Returns a cookie that deletes the browser's own. */
    static Cookie gone(boolean secure) {
        return cookie("", secure).setMaxAge(0);
    }

    private static Cookie cookie(String value, boolean secure) {
        return Cookie.cookie(name(secure), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(CookieSameSite.STRICT);
    }

    private String seal(String token) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] text = token.getBytes(StandardCharsets.UTF_8);
        byte[] plain = ByteBuffer.allocate(Long.BYTES + text.length)
                .putLong(clock.millis())
                .put(text)
                .array();
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] sealed = cipher.doFinal(plain);
            byte[] whole = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, whole, NONCE_BYTES, sealed.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java knows " + CIPHER + ".", e);
        }
    }

    /** Returns the token of a cookie. Null if the cookie is not from Slotwise, or too old. */
    @Nullable
    String open(String value) {
        try {
            byte[] whole = Base64.getUrlDecoder().decode(value);
            if (whole.length < NONCE_BYTES + Long.BYTES) {
                return null;
            }
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, whole, 0, NONCE_BYTES));
            ByteBuffer plain = ByteBuffer.wrap(cipher.doFinal(whole, NONCE_BYTES, whole.length - NONCE_BYTES));
            long age = clock.millis() - plain.getLong();
            return age > LASTS.toMillis()
                    ? null
                    : StandardCharsets.UTF_8.decode(plain).toString();
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            return null;
        }
    }
}
