package io.slotwise.live.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A text in short, by which it is known again: the beginning of its SHA-256. */
public final class Fingerprint {
    private Fingerprint() {}

    /**
     * The fingerprint of a text, two hexadecimal digits a byte.
     *
     * @param bytes how long it is; the longer, the more texts can be told apart
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
