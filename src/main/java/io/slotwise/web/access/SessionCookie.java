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
 * The cookie of a browser that is signed in: the person's token and when they signed in, encrypted by AES-256 in
 * Galois/counter mode, so that nothing is kept here and every replica with the same key reads it. It is good for {@link
 * #LASTS} and never longer than its token.
 */
final class SessionCookie {
    private static final String NAME = "slotwise-session";
    /** What a browser takes only over TLS and only from this very host, so that no neighbour can plant it. */
    private static final String OF_THIS_HOST = "__Host-";

    static final Duration LASTS = Duration.ofHours(8);
    /** Browsers keep cookies of 4,096 bytes with name and attributes. */
    static final int LONGEST_TOKEN = 2_900;

    static final int KEY_BYTES = 32;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * Cookies of a key.
     *
     * @param key of 32 bytes
     */
    SessionCookie(byte[] key, InstantSource clock) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The key of sessions has %d bytes; expected %d".formatted(key.length, KEY_BYTES));
        }
        this.key = new SecretKeySpec(key, "AES");
        this.clock = clock;
    }

    /** Its name, which says how it was made: over TLS it counts for nothing if it was set without. */
    static String name(boolean secure) {
        return secure ? OF_THIS_HOST + NAME : NAME;
    }

    /** A key that no other process has. */
    static byte[] ownKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /**
     * A cookie for a token.
     *
     * @param secure whether the browser may send it over TLS only
     */
    Cookie of(String token, boolean secure) {
        return cookie(seal(token), secure).setMaxAge(LASTS.toSeconds());
    }

    /** What makes a browser forget it. */
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

    /** The token in a cookie's value; null: it is none of ours, or too old. */
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
