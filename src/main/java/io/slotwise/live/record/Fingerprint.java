package io.slotwise.live.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short identification of a text: the beginning of its SHA-256. */
public final class Fingerprint {
    private Fingerprint() {}

    /**
     * Returns the fingerprint of a text, two hexadecimal digits per byte.
     *
     * @param bytes the length; a longer fingerprint distinguishes more texts
     */
    public static String of(String text, int bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK must have SHA-256.", e);
        }
    }
}
